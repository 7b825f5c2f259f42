/** @module-tag nightly */
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import type { RenderedPages } from "../.vitepress/render-pages.ts";

const base = "/some/path/";
const folder = fileURLToPath(new URL("../", import.meta.url));
const paths = [
  "index.md",
  "guides/filters.md",
  "generated/reference/index.md",
  "generated/reference/scopes.md",
  "generated/reference/ioc/index.md",
  "generated/reference/ioc/indicator.create.v1.md",
  "generated/reference/schemas/Indicator.md",
];

test("a site under another base links to nothing outside it", async () => {
  const thread = new Worker(new URL("../.vitepress/render-pages.ts", import.meta.url), {
    workerData: { folder, paths },
    env: { ...process.env, DOCS_URL: `https://a.test${base}` },
  });
  const [{ pages, head }] = (await once(thread, "message")) as [RenderedPages];
  const links = pages.flatMap((html) =>
    [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = ""]) => link),
  );
  const outside = links.filter((link) => link.startsWith("/") && !link.startsWith(base));
  expect(outside).toEqual([]);
  const inside = links.filter((link) => link.startsWith(base));
  // Written as Markdown, as HTML of a page, and as HTML of a diagram.
  expect(inside).toContain(`${base}guides/paging.html`);
  expect(inside).toContain(`${base}openapi.json`);
  expect(inside).toContain(`${base}reference/schemas/Indicator.html`);
  expect(head).toContainEqual([
    "link",
    { rel: "icon", type: "image/svg+xml", href: `${base}logo.svg` },
  ]);
});
