/** What the READMEs say about Node.js is what the packages declare. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const folders = readdirSync(new URL("packages", root)).filter((name) =>
  existsSync(new URL(`packages/${name}/package.json`, root)),
);

/** The text for a range of versions, such as `>=20.19` or `^22.16 || >=24`. */
function textOf(range: string): RegExp {
  const [, first = "", excluded] = /^[>=^]+([\d.]+)(?: \|\| >=(\d+))?$/.exec(range) ?? [];
  const gap = excluded === undefined ? "" : `,? \\(?but not ${Number(excluded) - 1}`;
  return new RegExp(`Node\\.js ${first.replaceAll(".", "\\.")} (?:or|and) later${gap}`);
}

const engineOf = (manifest: string): string =>
  (JSON.parse(read(manifest)) as { engines: { node: string } }).engines.node;

test.each(folders)("the README of %s names the versions that its manifest accepts", (name) => {
  const text = read(`packages/${name}/README.md`).replaceAll(/\s+/g, " ");
  const named = [...text.matchAll(/Node\.js [\d.]+ (?:or|and) later(?:,? \(?but not \d+)?/g)];
  const range = engineOf(`packages/${name}/package.json`);
  for (const [each] of named) expect(each).toMatch(textOf(range));
  if (name !== "browser") expect(named).not.toEqual([]);
});

test.each(["README.md", "docs/guides/quick-start.md", "docs/guides/running.md"])(
  "%s names the versions that secplat accepts",
  (page) => {
    expect(read(page).replaceAll(/\s+/g, " ")).toMatch(
      textOf(engineOf("packages/cli/package.json")),
    );
  },
);

test.each(["README.md", "CONTRIBUTING.md"])("%s names the versions for a clone", (page) => {
  expect(read(page)).toMatch(textOf(engineOf("package.json")));
});
