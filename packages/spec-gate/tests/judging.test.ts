import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judgedFamilies, judgedOracle } from "./judging/families.ts";
import type { Judging } from "./judging/model.ts";

const judging = JSON.parse(
  readFileSync(new URL("../judging.json", import.meta.url), "utf8"),
) as Judging;

describe("the data of the page about the verdicts", () => {
  test("has every family of pairs and cases", () => {
    const { families, oracle } = judging;
    expect(families.map(({ family }) => family)).toEqual(judgedFamilies.map(({ name }) => name));
    expect(oracle.map(({ kind, family }) => `${kind}, ${family}`)).toEqual(
      judgedOracle.map(({ name }) => name),
    );
  });

  // After a change of pairs or verdicts: npm run corpus
  test.each(judgedFamilies)("is that of the pairs: $name", ({ name, judge }) => {
    expect(judging.families.find(({ family }) => family === name)).toEqual(judge());
  });

  test.each(judgedOracle)("is that of the oracle: $name", ({ judge }) => {
    expect(judging.oracle).toContainEqual(judge());
  });
});

test("every verdict on the families is right, and every disagreement with an oracle has a reason", () => {
  for (const { family, verdicts, right } of judging.families) expect(right, family).toBe(verdicts);
  for (const { family, explained, reasons } of judging.oracle) {
    expect(explained === 0, family).toBe(reasons.length === 0);
  }
});
