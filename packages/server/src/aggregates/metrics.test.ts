import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, problemsOf } from "../../tests/support/aggregates/ask.ts";
import { anySightings } from "../../tests/support/aggregates/sightings.ts";

describe("metrics", () => {
  test.each([
    [
      { type: "max", field: "level" },
      { value: 10, value_as_string: "10", count: 4 },
    ],
    [
      { type: "min", field: "score" },
      { value: 0.5, value_as_string: "0.5", count: 2 },
    ],
    [
      { type: "sum", field: "level" },
      { value: 17, value_as_string: "17", count: 4 },
    ],
    [
      { type: "avg", field: "level" },
      { value: 4.25, value_as_string: "4.25", count: 4 },
    ],
    [
      { type: "cardinality", field: "level" },
      { value: 3, value_as_string: "3", count: 4 },
    ],
    [
      { type: "cardinality", field: "tags" },
      { value: 3, value_as_string: "3", count: 3 },
    ],
    [
      { type: "cardinality", field: "origin.host" },
      { value: 2, value_as_string: "2", count: 2 },
    ],
    [
      { type: "max", field: "seen_at" },
      { value: Date.parse("2024-04-02"), value_as_string: "2024-04-02T00:00:00Z", count: 4 },
    ],
    [
      { type: "min", field: "seen_at", filter: "level:3" },
      {
        value: Date.parse("2024-03-31T00:30:00.123Z"),
        value_as_string: "2024-03-31T00:30:00.123456789Z",
        count: 2,
      },
    ],
  ] as const)("%j", async (spec, bucket) => {
    expect((await ask(spec)).buckets).toEqual([bucket]);
  });

  test("without values, sum and value count are 0, and the others null", async () => {
    const none = { value: null, count: 0 };
    const zero = { value: 0, value_as_string: "0", count: 0 };
    const expected = { max: none, min: none, avg: none, sum: zero, cardinality: zero } as const;
    for (const [type, bucket] of Object.entries(expected)) {
      const spec = { type: type as keyof typeof expected, field: "level", filter: "id:'none'" };
      expect((await ask(spec)).buckets).toEqual([bucket]);
    }
  });

  test.each([
    [{ type: "max", field: "level", missing: "11" }, 11, 5],
    [{ type: "min", field: "level", missing: "11" }, 1, 5],
    [{ type: "min", field: "level", missing: "-1.5" }, -1.5, 5],
    [{ type: "sum", field: "score", missing: "2" }, 8, 5],
    [{ type: "avg", field: "level", missing: "8" }, 5, 5],
    [{ type: "cardinality", field: "kind", missing: "none" }, 4, 5],
    [{ type: "cardinality", field: "name", missing: "none" }, 4, 5],
    [{ type: "cardinality", field: "name", missing: "beta" }, 3, 5],
    [{ type: "max", field: "seen_at", missing: "now" }, Date.parse("2024-04-03T12:00:00Z"), 5],
    [{ type: "max", field: "level", missing: "11", filter: "level:*" }, 10, 4],
  ] as const)("%j also counts records without a value", async (spec, value, count) => {
    expect((await ask(spec)).buckets).toMatchObject([{ value, count }]);
  });

  test("agree with a computation over the records", async () => {
    await fc.assert(
      fc.asyncProperty(
        anySightings,
        fc.option(fc.integer({ min: -20, max: 20 }), { nil: undefined }),
        async (records, missing) => {
          const values = records.flatMap(({ score = missing }) =>
            score === undefined ? [] : [Number(score)],
          );
          const sum = values.reduce((total, value) => total + value, 0);
          const empty = values.length === 0;
          const expected = {
            min: empty ? null : Math.min(...values),
            max: empty ? null : Math.max(...values),
            sum,
            avg: empty ? null : sum / values.length,
            cardinality: new Set(values).size,
          };
          for (const [type, value] of Object.entries(expected)) {
            const { buckets } = await ask(
              {
                type: type as keyof typeof expected,
                field: "score",
                ...(missing !== undefined && { missing: String(missing) }),
              },
              { records },
            );
            expect(buckets).toMatchObject([{ value, count: values.length }]);
          }
        },
      ),
      { numRuns: runs() },
    );
  });

  test.each([
    [
      { type: "max", field: "kind" },
      "body[0].field: max supports fields of type number or timestamp, but 'kind' is of type string",
    ],
    [
      { type: "sum", field: "seen_at" },
      "body[0].field: sum supports fields of type number, but 'seen_at' is of type timestamp",
    ],
    [{ type: "avg" }, "body[0].field: avg requires the field to aggregate on"],
    [
      { type: "avg", field: "level", missing: "" },
      "body[0].missing: expected a number, as 'level' is of type number, got ''",
    ],
    [
      { type: "sum", field: "level", sub_aggregates: [{ type: "terms", field: "kind" }] },
      "body[0].sub_aggregates: sum has no buckets to aggregate in; terms, date_histogram, date_range, range, filters have",
    ],
  ] as const)("%j is rejected", async (spec, problem) => {
    expect(await problemsOf(spec)).toEqual([problem]);
  });
});
