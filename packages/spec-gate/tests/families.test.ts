import { describe, expect, test } from "vitest";
import { groupBy } from "../src/group-by.ts";
import { compare } from "../src/testing/documents.ts";
import { pairs } from "./families/all.ts";

describe("pairs of a family have the right verdicts there and back", () => {
  test.each([...groupBy(pairs, ({ family }) => family)])("%s", (_, family) => {
    const wrong = family.flatMap(({ name, base, revision, forward, backward }) => {
      const verdicts = [
        [compare(base, revision), forward, "there"],
        [compare(revision, base), backward, "back"],
      ] as const;
      return verdicts.flatMap(([{ verdict, changes }, expected, way]) =>
        verdict === expected &&
        (expected !== "none" || changes.every((change) => change.verdict === "none"))
          ? []
          : [
              `${name}, ${way}: ${verdict} instead of ${expected} (${changes.map(({ rule }) => rule).join(", ")})`,
            ],
      );
    });
    expect(wrong).toEqual([]);
  });
});
