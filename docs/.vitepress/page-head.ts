import type { HeadConfig, PageData } from "vitepress";

/** Characters of a description that search engines show. */
const longest = 200;

/** The picture that other sites show beside a link to a page; `scripts/draw-images.ts` draws it. */
export const socialCard = {
  file: "social-card.png",
  width: 1_200,
  height: 630,
  alt: "Security Platform: a whole security platform on your laptop",
} as const;

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
  site: { readonly title: string; readonly url?: string },
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
    ...(frontmatter["hasMarkdown"] === true
      ? [["link", { rel: "alternate", type: "text/markdown", href: `./${markdown}` }] as HeadConfig]
      : []),
    ...(site.url === undefined
      ? []
      : [
          property("url", `${site.url}${pagePath(relativePath)}`),
          property("image", `${site.url}${socialCard.file}`),
          property("image:type", "image/png"),
          property("image:width", String(socialCard.width)),
          property("image:height", String(socialCard.height)),
          property("image:alt", socialCard.alt),
          ["meta", { name: "twitter:card", content: "summary_large_image" }] as HeadConfig,
          [
            "link",
            { rel: "canonical", href: `${site.url}${pagePath(relativePath)}` },
          ] as HeadConfig,
        ]),
  ];
}
