import { readFileSync } from "node:fs";
import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { orderingOf } from "./ecosystems.ts";
import type { VersionOrdering } from "./ordering.ts";

/**
 * Tables of comparisons, one `left < right` per line. They contain the examples of the ecosystems'
 * own documents and test suites, and random versions that the ecosystem's own tool compared: dpkg,
 * rpm, Maven's ComparableVersion, Gem::Version and Python's packaging.
 */
const tables: Readonly<Record<string, string>> = {
  alpine: "Alpine:v3.20",
  debian: "Debian:12",
  maven: "Maven",
  nuget: "NuGet",
  pypi: "PyPI",
  rpm: "Red Hat",
  rubygems: "RubyGems",
  semantic: "npm",
};

const signs: Readonly<Record<string, number>> = { "<": -1, "=": 0, ">": 1 };

describe.each(Object.entries(tables))("%s", (name, ecosystem) => {
  const ordering = orderingOf(ecosystem) as VersionOrdering;
  const lines = readFileSync(new URL(`orderings/${name}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const rows = lines.flatMap((line) => {
    const [left = "", sign = "", right = ""] = line.split(" ");
    return sign in signs ? [{ line, left, right, sign: signs[sign] as number }] : [];
  });
  const refused = lines
    .filter((line) => line.endsWith(" invalid"))
    .map((line) => line.split(" ")[0]);
  const parse = (text: string) => {
    const version = ordering.parse(text);
    if (version === undefined) throw new Error(`"${text}" is not a version`);
    return version;
  };
  const compare = (left: string, right: string) =>
    Math.sign(ordering.compare(parse(left), parse(right)));

  test("orders each row of its table, in both directions", () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => compare(row.left, row.right) !== row.sign)).toEqual([]);
    expect(rows.filter((row) => compare(row.right, row.left) !== 0 - row.sign)).toEqual([]);
    expect(rows.length + refused.length).toBe(lines.length);
  });

  test("rejects an invalid version", () => {
    for (const text of [...refused, "", " "]) {
      // RubyGems treats an empty text as version 0.
      if (name === "rubygems" && text?.trim() === "") continue;
      expect(ordering.parse(text as string), `"${text}"`).toBeUndefined();
    }
  });

  // Maven's own order has cycles if a zero comes before a qualifier: 1-0SNAPSHOT, 1, 1-pom-1.
  if (name === "maven") return;
  test("is a total order over all versions of its table", () => {
    const versions = fc.constantFrom(...new Set(rows.flatMap(({ left, right }) => [left, right])));
    fc.assert(
      fc.property(versions, versions, versions, (a, b, c) => {
        const [ab, bc, ac] = [compare(a, b), compare(b, c), compare(a, c)];
        if (ab <= 0 && bc <= 0) expect(ac, `${a} ${b} ${c}`).toBeLessThanOrEqual(0);
        if (ab === 0 && bc === 0) expect(ac, `${a} ${b} ${c}`).toBe(0);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

test("an ecosystem is found by its name, with or without a release", () => {
  for (const ecosystem of Object.values(tables)) {
    const name = ecosystem.replace(/:.*/, "");
    expect(orderingOf(name)).toBeDefined();
    expect(orderingOf(`${name}:1`)).toBe(orderingOf(name));
  }
  for (const name of ["Hackage", "", "constructor", "npm2"])
    expect(orderingOf(name)).toBeUndefined();
});
