import { expect, test } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { gate } from "../src/gate.ts";
import { documentOf } from "../src/read/load-document.ts";
import { reportOf } from "../src/report/model.ts";
import { requestOf, testDay } from "../src/testing/documents.ts";
import { pairs } from "./families/all.ts";
import { cases } from "./rule-cases.ts";

test(
  "no finding shows the same value as the old and the new one",
  { tags: ["exhaustive"] },
  async () => {
    const compared = [
      // What a dynamic reference means stands elsewhere, so that its place shows no value.
      ...pairs
        .filter(({ family }) => family !== "dynamic references")
        .map(({ base, revision }) => [base, revision] as const),
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
  },
);

test("a reference with a description beside it shows what it refers to", async () => {
  const api = (schema: JsonObject) =>
    requestOf(
      { $ref: "#/components/schemas/A", description: "The thing." },
      { components: { schemas: { A: schema } } },
    );
  const text = { type: "string" };
  const [base, revision] = [api({ ...text, maxLength: 3 }), api(text)].map((each, index) =>
    documentOf(each, `${index}.json`),
  );
  if (base === undefined || revision === undefined) throw new Error("expected two documents");
  const { changes } = reportOf(await gate(base, revision, { today: testDay, folder: "/" }));
  expect(changes).toMatchObject([
    { rule: "max-length-removed", values: { base: '{"maxLength": 3}', revision: "{}" } },
  ]);
});
