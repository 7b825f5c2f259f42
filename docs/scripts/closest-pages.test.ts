import { expect, test } from "vitest";
import { closestPages } from "../.vitepress/theme/closest-pages.ts";

const pages = [
  "/guides/quick-start.html",
  "/guides/paging.html",
  "/guides/errors.html",
  "/reference/",
  "/reference/ioc/",
  "/reference/ioc/indicator.create.v1.html",
  "/reference/ioc/indicator.combined.v1.html",
].map((link) => ({ title: link, link }));

test.each([
  ["/docs/guides/quik-start", "/guides/quick-start.html"],
  ["/docs/guides/Quick_Start.html", "/guides/quick-start.html"],
  ["/docs/quick-start/", "/guides/quick-start.html"],
  ["/docs/guides/pagin.md", "/guides/paging.html"],
  ["/docs/reference/indicator.create.v2.html", "/reference/ioc/indicator.create.v1.html"],
  ["/docs/indicator.create", "/reference/ioc/indicator.create.v1.html"],
])("%s is most similar to %s", (path, first) => {
  expect(closestPages(path, pages)[0]?.link).toBe(first);
});

test.each(["/", "/docs/guides/nothing-like-it", `/docs/${"a".repeat(5_000)}`])(
  "%s is similar to no page",
  (path) => {
    expect(closestPages(path, pages)).toEqual([]);
  },
);
