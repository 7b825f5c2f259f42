import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { drawLayers } from "./draw-layers.ts";
import { drawings } from "./drawings.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

test.each(Object.entries(drawings))(
  "%s shows the imports; otherwise run npm run draw",
  (path, drawing) => {
    expect(read(path)).toBe(drawLayers(root, drawing));
  },
);

test("the files that the page on the architecture names exist", () => {
  const paths = [...read("docs/architecture/README.md").matchAll(/`([\w/.-]+\.ts)`/g)].map(
    ([, path = ""]) => (/^(packages|scripts)\//.test(path) ? path : `packages/server/src/${path}`),
  );
  expect(paths.length).toBeGreaterThan(25);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
