import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeIn, tableRows } from "../tests/support/tables.ts";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const packages = new URL("../../packages/", import.meta.url);
const scope = "@security-platform/";
const shortName = (name: string): string => name.replace(scope, "");

const manifests = globSync("*/package.json", { cwd: packages })
  .map((path) => JSON.parse(readFileSync(new URL(path, packages), "utf8")) as Manifest)
  .filter((manifest) => manifest.private !== true);

const own = new Map(
  manifests.map(({ name, dependencies = {} }) => [
    shortName(name),
    Object.keys(dependencies)
      .filter((each) => each.startsWith(scope))
      .map(shortName),
  ]),
);

/** The packages of this project that a package needs, also through others. */
const needed = (name: string): readonly string[] =>
  (own.get(name) ?? []).flatMap((each) => [each, ...needed(each)]);

test("the guide names the tarballs that each package needs", () => {
  const guide = readFileSync(new URL("../guides/running.md", import.meta.url), "utf8");
  const [, part = ""] = /\n### Without a registry\n([^]*?)\n### /.exec(guide) ?? [];
  const shown = tableRows(part).flatMap(({ "Tarball of": names = "", "Also needs": others = "" }) =>
    codeIn(names).map((name) => [name, codeIn(others)]),
  );
  const expected = [...own.keys()].map((name) => [name, [...new Set(needed(name))].toSorted()]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
});
