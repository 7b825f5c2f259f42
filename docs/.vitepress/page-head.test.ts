import { readFileSync } from "node:fs";
import type { PageData } from "vitepress";
import { expect, test } from "vitest";
import { firstParagraph, pageHead, socialCard } from "./page-head.ts";
import { changesIn } from "./last-changes.ts";
import { htmlForBase, siteAddress, textForSite } from "./site-address.ts";

const page: PageData = {
  relativePath: "guides/filters.md",
  filePath: "guides/filters.md",
  title: "Filters",
  description: "How to filter.",
  headers: [],
  frontmatter: { hasMarkdown: true },
};

test("the description of a page is its first paragraph without markup", () => {
  const markdown =
    "---\norder: 1\n---\n\n# Title\n\n::: warning\nNo.\n:::\n\n```bash\nno\n\nno\n```\n\nSee [the `ids`](/a) of\n*one* page.\n\nNo.\n";
  expect(firstParagraph(markdown)).toBe("See the ids of one page.");
  const long = firstParagraph(`# Title\n\n${"word ".repeat(100)}`);
  expect(long).toMatch(/^(?:word )+…$/);
  expect(long.length).toBeLessThan(205);
});

test("the head names the page, and its URL if the site has one", () => {
  const site = { title: "Site" };
  const tags = pageHead(page, { ...site, url: "https://a.test/b/" });
  expect(tags).toContainEqual(["meta", { property: "og:title", content: "Filters" }]);
  const url = "https://a.test/b/guides/filters.html";
  expect(tags).toContainEqual(["link", { rel: "canonical", href: url }]);
  const alternate = { rel: "alternate", type: "text/markdown", href: "./filters.md" };
  expect(tags).toContainEqual(["link", alternate]);
  const image = { property: "og:image", content: "https://a.test/b/social-card.png" };
  expect(tags).toContainEqual(["meta", image]);
  // Other sites need a complete URL.
  expect(JSON.stringify(pageHead(page, site))).not.toMatch(/canonical|og:image/);
  const index = { ...page, relativePath: "reference/ioc/index.md" };
  expect(JSON.stringify(pageHead(index, { ...site, url: "https://a.test/" }))).toContain(
    '"https://a.test/reference/ioc/"',
  );
});

test("the picture of the site has the size that its pages state", () => {
  const png = readFileSync(new URL(`../brand/${socialCard.file}`, import.meta.url));
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  const { width, height } = socialCard;
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
});

test("the address of the site comes from its URL", () => {
  expect(siteAddress(undefined)).toEqual({ base: "/docs/" });
  expect(siteAddress("https://a.test")).toEqual({ url: "https://a.test/", base: "/" });
  expect(siteAddress("https://a.test/b/c")).toEqual({ url: "https://a.test/b/c/", base: "/b/c/" });
  expect(() => siteAddress("/b/")).toThrow(
    "DOCS_URL is /b/. Expected an http or https URL, such as https://example.com/platform/",
  );
});

test("links that are written in full get the base of the site", () => {
  expect(htmlForBase('<a href="/docs/x.html">/docs/</a>', "/b/")).toBe(
    '<a href="/b/x.html">/docs/</a>',
  );
  expect(textForSite("[a](/docs/x.md) http://127.0.0.1/docs/", "https://a.test/b/")).toBe(
    "[a](https://a.test/b/x.md) http://127.0.0.1/docs/",
  );
});

test("the last change of a file is the first in the log that names it", () => {
  const log = "2000\n\nspec/a.yaml\n1000\n\nspec/a.yaml\nspec/b.yaml\n";
  expect(changesIn(log)).toEqual(
    new Map([
      ["spec/a.yaml", 2_000],
      ["spec/b.yaml", 1_000],
    ]),
  );
});
