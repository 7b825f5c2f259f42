import { describe, expect, test } from "vitest";
import { ask, counts, problemsOf } from "../../tests/support/aggregates/ask.ts";

const filters = { high: "level:>2", red: "tags:'red'", both: "level:>2+tags:'red'" };
const filtersSpec = (more: object = {}, others: object = {}) =>
  ({ type: "filters", filters_spec: { filters, ...more }, ...others }) as const;

describe("filters", () => {
  test("counts the records of each filter", async () => {
    expect(counts(await ask(filtersSpec()))).toEqual([
      ["high", 3],
      ["red", 3],
      ["both", 2],
    ]);
  });

  test("the other bucket contains records that match no filter, including those without a value", async () => {
    const parts = [{ type: "terms", field: "id" }];
    const { buckets } = await ask(filtersSpec({ other_bucket: true }, { sub_aggregates: parts }));
    expect(buckets.at(-1)).toMatchObject({
      label: "_other_",
      count: 1,
      sub_aggregates: [{ buckets: [{ label: "e" }] }],
    });
    const named = await ask(filtersSpec({ other_bucket: true, other_bucket_key: "rest" }));
    expect(counts(named).at(-1)).toEqual(["rest", 1]);
    const withoutOther = await ask(filtersSpec({ other_bucket: false, other_bucket_key: "rest" }));
    expect(counts(withoutOther)).toHaveLength(3);
  });

  test("min_doc_count removes buckets", async () => {
    expect(counts(await ask(filtersSpec({}, { min_doc_count: 3 })))).toHaveLength(2);
  });

  test("a missing or empty filters_spec is rejected", async () => {
    const problem =
      "body[0].filters_spec: filters requires filters_spec with at least one named filter";
    expect(await problemsOf({ type: "filters" })).toEqual([problem]);
    expect(await problemsOf(filtersSpec({ filters: {} }))).toEqual([problem]);
  });

  test("an invalid filter is reported with its place", async () => {
    const [problem, ...more] = await problemsOf(
      filtersSpec({ filters: { ...filters, odd: "lvel:1" } }),
    );
    expect(more).toEqual([]);
    expect(problem).toMatch(
      /^body\[0\]\.filters_spec\.filters\.odd: Invalid filter expression supplied: .*'lvel'.*'level'/,
    );
  });

  test("the key of the other bucket must be unique", async () => {
    expect(await problemsOf(filtersSpec({ other_bucket: true, other_bucket_key: "red" }))).toEqual([
      "body[0].filters_spec.other_bucket_key: 'red' is already the name of a filter",
    ]);
  });

  test("filters_spec on another type is rejected, not ignored", async () => {
    expect(await problemsOf({ ...filtersSpec(), type: "terms", field: "kind" })).toEqual([
      "body[0].filters_spec: belongs to type filters; terms inside its sub_aggregates counts filter by filter",
    ]);
  });
});
