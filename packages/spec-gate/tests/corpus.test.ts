/** @module-tag exhaustive */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judged, kinds } from "./corpus/judge.ts";
import { picked } from "./corpus/kind.ts";

/** To test other places, use another seed: CORPUS_SEED=7 npx vitest run tests/corpus.test.ts */
const seed = Number(process.env["CORPUS_SEED"] ?? 20261122);
const placesOfAKind = Number(process.env["CORPUS_PLACES"] ?? 2);

describe("edits of the real document", () => {
  test("include at least 120 breaking and 120 safe kinds, each with a unique name", () => {
    const count = (expected: string) => kinds.filter((kind) => kind.expected === expected).length;
    expect(count("breaking")).toBeGreaterThanOrEqual(120);
    expect(count("safe")).toBeGreaterThanOrEqual(120);
    expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
  });

  test.each(["breaking", "safe"] as const)(
    "that are %s have this verdict at every place",
    { tags: ["nightly"] },
    (expected) => {
      const wrong = kinds
        .filter((kind) => kind.expected === expected)
        .flatMap((kind) =>
          picked(kind, placesOfAKind, seed).flatMap((place) => {
            const { verdict, changes } = judged(kind.apply(place));
            const isRight =
              (verdict === "major") === (expected === "breaking") &&
              (kind.quiet !== true || changes.every((change) => change.verdict === "none"));
            return isRight ? [] : [`${kind.name} at ${place.join("/")}: ${verdict}`];
          }),
        );
      expect(wrong).toEqual([]);
    },
  );

  test("are all in the table, with the verdict of their place", () => {
    const table = readFileSync(new URL("../corpus.tsv", import.meta.url), "utf8");
    const rows = table.trimEnd().split("\n").slice(1);
    // After a change of kinds: node --conditions=@security-platform/source scripts/corpus-table.ts
    expect(rows.map((row) => row.split("\t").slice(0, 2).join(": ")).toSorted()).toEqual(
      kinds.map(({ name, expected }) => `${name}: ${expected}`).toSorted(),
    );
    for (const row of rows) {
      const [name, expected, actual] = row.split("\t");
      expect(actual === "major", name).toBe(expected === "breaking");
    }
  });
});
