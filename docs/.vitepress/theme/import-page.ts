import { Comment, Fragment, Static, Text, type RenderFunction, type VNode } from "vue";

/** The script of a page, which lacks its static parts. */
interface PageModule {
  readonly default: { readonly render: (...words: unknown[]) => ReturnType<RenderFunction> };
}

/** The part of a node that Vue does not declare. */
type StaticNode = VNode & { children: string; readonly staticCount: number };

/**
 * Loads a page that the reader comes to by a link: its script, and its static parts from the page itself.
 *
 * @param script The path of the script.
 * @param path The path of the page.
 */
export async function importPage(script: string, path: string): Promise<PageModule> {
  const [page, html] = await Promise.all([
    import(/* @vite-ignore */ script) as Promise<PageModule>,
    htmlOf(path),
  ]);
  // A page that was deployed later has another script. VitePress then loads the new names of all scripts.
  if (html?.includes(script.slice(script.lastIndexOf("/"))) !== true) {
    throw new Error(`Page not found: ${path}`);
  }
  const built = new DOMParser().parseFromString(html, "text/html");
  const content = built.querySelector(".vp-doc > div");
  const { render } = page.default;
  return {
    ...page,
    default: {
      ...page.default,
      render(...words) {
        const node = render.apply(this, words) as VNode;
        fill(node, content);
        return node;
      },
    },
  };
}

/** As in VitePress, the path of a folder may also lead to a page, and that of a page to a folder. */
async function htmlOf(path: string): Promise<string | undefined> {
  const other = path.endsWith("/") ? path.replace(/\/$/, ".html") : path.replace(/\.html$/, "/");
  for (const each of [path, other]) {
    const response = await fetch(each);
    if (response.ok) return response.text();
  }
  return undefined;
}

/** Gives the static parts of a node their HTML, as Vue does at the first load. Returns what follows it in the page. */
function fill(node: VNode, built: Node | null): Node | null {
  if (node.type === Static) return fillStatic(node as StaticNode, built);
  if (typeof node.type === "string") {
    fillAll(node.children, built?.firstChild ?? null);
    return following(built);
  }
  if (node.type === Fragment) {
    fillAll(node.children, following(built));
    return afterFragment(built);
  }
  if (node.type === Text || node.type === Comment || !isFragmentStart(built)) {
    return following(built);
  }
  // A component fills itself.
  return afterFragment(built);
}

function fillAll(children: VNode["children"], first: Node | null): void {
  if (!Array.isArray(children)) return;
  let built = first;
  for (const child of children) built = fill(child as VNode, built);
}

function fillStatic(node: StaticNode, first: Node | null): Node | null {
  const holder = document.createElement("template");
  let built = first;
  for (let left = node.staticCount; left > 0; left -= 1) {
    if (built !== null) holder.content.append(built.cloneNode(true));
    built = following(built);
  }
  node.children = holder.innerHTML;
  return built;
}

const following = (built: Node | null): Node | null => built?.nextSibling ?? null;

/** Vue writes comments around a fragment. */
const isFragmentStart = (built: Node | null): boolean =>
  built?.nodeType === Node.COMMENT_NODE && built.nodeValue === "[";

function afterFragment(start: Node | null): Node | null {
  let depth = 0;
  for (let built = start; built !== null; built = built.nextSibling) {
    if (built.nodeType !== Node.COMMENT_NODE) continue;
    if (built.nodeValue === "[") depth += 1;
    if (built.nodeValue === "]") depth -= 1;
    if (depth === 0) return built.nextSibling;
  }
  return null;
}
