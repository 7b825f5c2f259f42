import { expect, test } from "vitest";
import { gate } from "../src/gate.ts";
import { documentOf } from "../src/read/load-document.ts";
import { reportOf } from "../src/report/model.ts";
import { testDay } from "../src/testing/documents.ts";
import { pairs } from "./families/all.ts";
import { cases } from "./rule-cases.ts";

test("no finding shows the same value as the old and the new one", async () => {
  const compared = [
    ...pairs.map(({ base, revision }) => [base, revision] as const),
    ...cases.map(([, before, after]) => [before, after] as const),
  ];
  const wrong = new Set<string>();
  let count = 0;
  for (const [one, other] of compared.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])) {
    const [base, revision] = [documentOf(one, "a.json"), documentOf(other, "b.json")];
    const { changes } = reportOf(await gate(base, revision, { today: testDay, folder: "/" }));
    for (const { rule, message, values } of changes) {
      count++;
      if (values.base === values.revision) wrong.add(`${rule}: ${message} (${values.base})`);
    }
  }
  expect([...wrong]).toEqual([]);
  expect(count).toBeGreaterThan(1_000);
});
