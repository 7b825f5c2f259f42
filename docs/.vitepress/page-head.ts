import type { HeadConfig, PageData } from "vitepress";

/** Characters of a description that search engines show. */
const longest = 200;

/** The first paragraph of a page, without markup. */
export function firstParagraph(markdown: string): string {
  const paragraph = markdown
    .replace(/^---\n[^]*?\n---\n/, "")
    .replaceAll(/^(`{3,})[^]*?^\1$/gm, "")
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => block !== "" && !/^(?:#|:::|[-|<]|\d+\.)/.test(block));
  const text = (paragraph ?? "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)(?:\{[^}]*\})?/g, "$1")
    .replaceAll(/[`*]|\\(?=[_*])/g, "")
    .replaceAll(/\s+/g, " ");
  if (text.length <= longest) return text;
  return `${text.slice(0, text.lastIndexOf(" ", longest))} …`;
}

/** The path of a page below the base: `guides/filters.html`, empty for the home page. */
const pagePath = (relativePath: string): string =>
  relativePath.replace(/\.md$/, ".html").replace(/(^|\/)index\.html$/, "$1");

/** What other programs read in the head of a page. */
export function pageHead(
  { relativePath, title, description, frontmatter }: PageData,
  site: { readonly title: string; readonly url?: string; readonly hasMarkdown: boolean },
): HeadConfig[] {
  if (frontmatter["layout"] === false || relativePath === "404.md") {
    return [["meta", { name: "robots", content: "noindex" }]];
  }
  const property = (name: string, content: string): HeadConfig => [
    "meta",
    { property: `og:${name}`, content },
  ];
  const markdown = (relativePath.split("/").at(-1) ?? "").replace(/^$/, "index.md");
  return [
    property("type", relativePath === "index.md" ? "website" : "article"),
    property("site_name", site.title),
    property("title", title),
    property("description", description),
    ...(site.hasMarkdown
      ? [["link", { rel: "alternate", type: "text/markdown", href: `./${markdown}` }] as HeadConfig]
      : []),
    ...(site.url === undefined
      ? []
      : [
          property("url", `${site.url}${pagePath(relativePath)}`),
          [
            "link",
            { rel: "canonical", href: `${site.url}${pagePath(relativePath)}` },
          ] as HeadConfig,
        ]),
  ];
}
