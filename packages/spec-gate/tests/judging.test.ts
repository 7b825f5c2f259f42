import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { judgedFamilies, judgedOracle } from "./judging/families.ts";
import type { Judging } from "./judging/model.ts";

const judging = JSON.parse(
  readFileSync(new URL("../judging.json", import.meta.url), "utf8"),
) as Judging;

test("the data of the page about the verdicts is that of the pairs and oracles", () => {
  // After a change of pairs or verdicts: npm run corpus
  expect(judging.families).toEqual(judgedFamilies());
  expect(judging.oracle).toEqual(judgedOracle());
});

test("every verdict on the families is right, and every disagreement with an oracle has a reason", () => {
  for (const { family, verdicts, right } of judging.families) expect(right, family).toBe(verdicts);
  for (const { family, explained, reasons } of judging.oracle) {
    expect(explained === 0, family).toBe(reasons.length === 0);
  }
});
