/** @module-tag nightly */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { operationLink } from "../scripts/reference/places.ts";
import { siteFolder } from "./support/places.ts";
import { sitePages } from "./support/site.ts";

/** Compressed bytes of the scripts that a page loads before the console is used. */
const budget = 150_000;

test("the page of no operation loads more scripts than the budget before the console is used", () => {
  const addresses = new Map(sitePages().map(({ address, html }) => [address, html]));
  const sizes = operations().map(({ id }) => {
    const html = addresses.get(`/docs${operationLink(id)}.html`) ?? "";
    const scripts = new Set(
      [...html.matchAll(/"\/docs\/(assets\/[^"]+\.js)"/g)].map(([, name = ""]) => name),
    );
    expect(scripts.size, id).toBeGreaterThan(1);
    const bytes = [...scripts].map((name) => compressedSize(name));
    return { id, bytes: bytes.reduce((sum, each) => sum + each, 0) };
  });
  expect(sizes.filter(({ bytes }) => bytes > budget)).toEqual([]);
});

test("no page loads scripts beside the styles, for which its first paint waits", () => {
  const early = /<script[^>]* src=|<link[^>]* rel="modulepreload"/;
  const pages = sitePages().filter(({ address }) => address !== "/docs/404.html");
  expect(pages.length).toBeGreaterThan(operations().length);
  expect(pages.filter(({ html }) => early.test(html)).map(({ address }) => address)).toEqual([]);
});

test("the search loads an index of at most 350,000 bytes", () => {
  const [index = ""] = globSync("assets/chunks/*localSearchIndex*.js", { cwd: siteFolder });
  expect(index).not.toBe("");
  expect(compressedSize(index)).toBeLessThan(350_000);
});

test("no script repeats the content of a page, and no page the colours of its code", () => {
  const scripts = globSync("assets/*.md.*.js", { cwd: siteFolder });
  expect(scripts.length).toBeGreaterThan(operations().length);
  // Title, description and front matter. The compiler leaves short lists of links in the scripts.
  const lengths = scripts.map((name) => readFileSync(join(siteFolder, name)).length);
  expect(Math.max(...lengths)).toBeLessThan(30_000);
  expect(lengths.reduce((sum, length) => sum + length, 0) / lengths.length).toBeLessThan(1_500);
  const coloured = sitePages().filter(({ html }) =>
    /<span[^>]* style="[^"]*color|<span[^>]* style="--shiki-(?:light|dark):/.test(html),
  );
  expect(coloured.map(({ address }) => address)).toEqual([]);
  const highlighted = sitePages().filter(({ html }) => /<span class="l\d+ d\d+">/.test(html));
  expect(highlighted.length).toBeGreaterThan(operations().length);
});

const sizes = new Map<string, number>();

function compressedSize(name: string): number {
  let size = sizes.get(name);
  if (size === undefined) {
    size = brotliCompressSync(readFileSync(join(siteFolder, name))).length;
    sizes.set(name, size);
  }
  return size;
}
