import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createMarkdownRenderer } from "vitepress";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const base = "/some/path/";
const folder = fileURLToPath(new URL("../", import.meta.url));

beforeAll(() => {
  vi.stubEnv("DOCS_URL", `https://a.test${base}`);
});

afterAll(() => {
  vi.unstubAllEnvs();
});

test("a site under another base links to nothing outside it", async () => {
  const { default: config } = await import("./config.ts");
  const markdown = await createMarkdownRenderer(folder, config.markdown, config.base);
  const pages = [
    "index.md",
    "guides/filters.md",
    "generated/reference/index.md",
    "generated/reference/scopes.md",
    "generated/reference/ioc/index.md",
    "generated/reference/ioc/indicator.create.v1.md",
    "generated/reference/schemas/Indicator.md",
  ];
  const links = pages.flatMap((path) => {
    const html = markdown.render(readFileSync(`${folder}${path}`, "utf8"), {
      path: `${folder}${path}`,
      relativePath: path.replace("generated/", ""),
    });
    return [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = ""]) => link);
  });
  const outside = links.filter((link) => link.startsWith("/") && !link.startsWith(base));
  expect(outside).toEqual([]);
  const inside = links.filter((link) => link.startsWith(base));
  // Written as Markdown, as HTML of a page, and as HTML of a diagram.
  expect(inside).toContain(`${base}guides/paging.html`);
  expect(inside).toContain(`${base}redoc.html`);
  expect(inside).toContain(`${base}reference/schemas/Indicator.html`);
  expect(config.head).toContainEqual([
    "link",
    { rel: "icon", type: "image/svg+xml", href: `${base}logo.svg` },
  ]);
});
