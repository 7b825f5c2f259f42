import { useData, withBase } from "vitepress";
import { defineComponent, h, onMounted, shallowRef } from "vue";
import type { SitePage } from "./closest-pages.ts";

interface SidebarPart {
  readonly text?: string;
  readonly link?: string;
  readonly items?: readonly SidebarPart[];
}

/** What a reader sees instead of a page that does not exist, with the pages whose addresses are similar. */
export const NotFound = defineComponent({
  name: "NotFound",
  setup() {
    const { theme } = useData();
    const similar = shallowRef<readonly SitePage[]>([]);
    onMounted(async () => {
      const { closestPages } = await import("./closest-pages.ts");
      const sidebar = theme.value["sidebar"] as Readonly<Record<string, readonly SidebarPart[]>>;
      similar.value = closestPages(location.pathname, pagesIn(Object.values(sidebar).flat()));
    });
    return () =>
      h("main", { class: "not-found vp-doc" }, [
        h("h1", "This page does not exist"),
        h("p", "The URL may be misspelt, or the page may have moved."),
        similar.value.length === 0
          ? null
          : h("div", [
              h("p", "Pages with a similar address:"),
              h(
                "ul",
                similar.value.map(({ title, link }) =>
                  h("li", { key: link }, h("a", { href: withBase(link) }, title)),
                ),
              ),
            ]),
        h("p", [
          "Search for it, or go to the ",
          h("a", { href: withBase("/") }, "home page"),
          ", the ",
          h("a", { href: withBase("/guides/quick-start.html") }, "quick start"),
          " or the ",
          h("a", { href: withBase("/reference/") }, "reference"),
          ".",
        ]),
      ]);
  },
});

/** The pages of the sidebars, whose titles are HTML there. */
function pagesIn(parts: readonly SidebarPart[]): readonly SitePage[] {
  const text = document.createElement("template");
  return parts.flatMap(({ text: html = "", link, items = [] }) => {
    text.innerHTML = html.replace(/<span class="method[^>]*>[A-Z]*<\/span>/, "");
    const title = text.content.textContent;
    const file = link?.endsWith("/") === true ? link : `${link}.html`;
    return [...(link === undefined ? [] : [{ title, link: file }]), ...pagesIn(items)];
  });
}
