import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, problemsOf } from "../../tests/support/aggregates/ask.ts";
import { anySightings } from "../../tests/support/aggregates/sightings.ts";

const percentiles = { type: "percentiles", field: "level" } as const;

describe("percentiles", () => {
  test("returns seven percentiles by default", async () => {
    const records = Array.from({ length: 101 }, (_, index) => ({ id: `${index}`, level: index }));
    const { buckets } = await ask(percentiles, { records });
    expect(buckets.map(({ label, value }) => [label, value])).toEqual(
      [1, 5, 25, 50, 75, 95, 99].map((percent) => [percent, percent]),
    );
  });

  test("interpolates between two values", async () => {
    const spec = { ...percentiles, percents: [0, 50, 75, 100, 12.5] };
    expect((await ask(spec)).buckets).toEqual([
      { label: 0, key_as_string: "0", count: 4, value: 1, value_as_string: "1" },
      { label: 50, key_as_string: "50", count: 4, value: 3, value_as_string: "3" },
      { label: 75, key_as_string: "75", count: 4, value: 4.75, value_as_string: "4.75" },
      { label: 100, key_as_string: "100", count: 4, value: 10, value_as_string: "10" },
      { label: 12.5, key_as_string: "12.5", count: 4, value: 1.75, value_as_string: "1.75" },
    ]);
  });

  test("are times for a timestamp field", async () => {
    const spec = { type: "percentiles", field: "seen_at", percents: [0, 50] } as const;
    expect((await ask({ ...spec, filter: "id:['a','d']" })).buckets).toMatchObject([
      { value: Date.parse("2024-03-30T22:30:00Z"), value_as_string: "2024-03-30T22:30:00Z" },
      { value: Date.parse("2024-03-31T23:15:00Z"), value_as_string: "2024-03-31T23:15:00Z" },
    ]);
  });

  test("are null without values", async () => {
    const { buckets } = await ask({ ...percentiles, percents: [50] }, { records: [] });
    expect(buckets).toEqual([{ label: 50, key_as_string: "50", count: 0, value: null }]);
  });

  test("agree with interpolating over all values, including the value of missing", async () => {
    const percent = fc.oneof(
      fc.integer({ min: 0, max: 100 }),
      fc.double({ min: 0, max: 100, noNaN: true }),
    );
    const percents = fc.array(percent, { minLength: 1, maxLength: 8 });
    const missing = fc.option(fc.integer({ min: -4, max: 13 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(anySightings, percents, missing, async (records, percentages, value) => {
        const sorted = records
          .flatMap(({ level = value }) => (level === undefined ? [] : [Number(level)]))
          .toSorted((one, other) => one - other);
        const { buckets } = await ask(
          {
            ...percentiles,
            percents: percentages,
            ...(value !== undefined && { missing: String(value) }),
          },
          { records },
        );
        const expected = percentages.map((each) => {
          const position = (each / 100) * (sorted.length - 1);
          const low = sorted[Math.floor(position)];
          const high = sorted[Math.ceil(position)];
          if (low === undefined || high === undefined) return null;
          return low + (high - low) * (position % 1);
        });
        expect(buckets.map((bucket) => bucket.value)).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each([
    [{ percents: [50, 101] }, "body[0].percents[1]: expected a number from 0 to 100, got 101"],
    [
      { field: "kind" },
      "body[0].field: percentiles supports fields of type number or timestamp, but 'kind' is of type string",
    ],
    [
      { field: "visits", missing: "now" },
      "body[0].missing: not supported for percentiles of a list field, and 'visits' is a list",
    ],
  ])("%j is rejected", async (spec, problem) => {
    expect(await problemsOf({ ...percentiles, ...spec })).toEqual([problem]);
  });
});
