import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, counts, problemsOf } from "../../tests/support/aggregates/ask.ts";
import { anySightings } from "../../tests/support/aggregates/sightings.ts";

describe("range", () => {
  const range = { type: "range", field: "level" } as const;

  test("min_doc_count and max_doc_count include their counts", async () => {
    const level = { type: "range", field: "level", ranges: [{ from: 3, to: 4 }] } as const;
    for (const [bounds, found] of [
      [{ max_doc_count: 1 }, 0],
      [{ max_doc_count: 2 }, 1],
      [{ min_doc_count: 2 }, 1],
      [{ min_doc_count: 3 }, 0],
    ] as const) {
      expect((await ask({ ...level, ...bounds })).buckets).toHaveLength(found);
    }
  });

  test("counts from one bound to another, in the requested order", async () => {
    const ranges = [{ from: 3 }, { from: 1, to: 3 }, { to: 3 }, { from: 3, to: 3 }];
    expect((await ask({ ...range, ranges })).buckets).toEqual([
      { label: "3-*", from: 3, count: 3 },
      { label: "1-3", from: 1, to: 3, count: 1 },
      { label: "*-3", to: 3, count: 1 },
      { label: "3-3", from: 3, to: 3, count: 0 },
    ]);
  });

  test("missing is used as the number of records without one", async () => {
    const ranges = [{ to: 5 }, { from: 5 }];
    expect(counts(await ask({ ...range, ranges, missing: "5" }))).toEqual([
      ["*-5", 3],
      ["5-*", 2],
    ]);
  });

  test("min_doc_count removes buckets", async () => {
    const ranges = [{ to: 0 }, { from: 0 }];
    expect(counts(await ask({ ...range, ranges, min_doc_count: 1 }))).toEqual([["0-*", 4]]);
  });

  test("agrees with counting record by record", async () => {
    const bound = fc.option(fc.integer({ min: -5, max: 12 }), { nil: undefined });
    const ranges = fc.array(
      fc
        .tuple(bound, bound)
        .filter(([from, to]) => from !== undefined || to !== undefined)
        .filter(([from, to]) => (from ?? -Infinity) <= (to ?? Infinity))
        .map(([from, to]) => ({
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        })),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(anySightings, ranges, async (records, spec) => {
        const result = await ask({ ...range, ranges: spec }, { records });
        expect(result.buckets.map(({ count }) => count)).toEqual(
          spec.map(
            ({ from = -Infinity, to = Infinity }: { from?: number; to?: number }) =>
              records.filter(({ level }) => Number(level) >= from && Number(level) < to).length,
          ),
        );
      }),
      { numRuns: runs() },
    );
  });

  test.each([
    [{}, "body[0].ranges: range requires ranges: a list of {from, to}"],
    [{ ranges: [] }, "body[0].ranges: range requires ranges: a list of {from, to}"],
    [{ ranges: [{ from: 2, to: 1 }] }, "body[0].ranges[0]: from is after to"],
    [{ ranges: [{ to: 1 }, {}] }, "body[0].ranges[1]: needs from, to or both"],
    [
      { ranges: [{ to: 1 }], field: "seen_at" },
      "body[0].field: range supports fields of type number, but 'seen_at' is of type timestamp",
    ],
  ])("%j is rejected", async (spec, problem) => {
    expect(await problemsOf({ ...range, ...spec })).toEqual([problem]);
  });
});

describe("date_range", () => {
  const range = { type: "date_range", field: "seen_at" } as const;

  test("accepts dates, times and relative times", async () => {
    const date_ranges = [
      { from: "2024-03-31", to: "now" },
      { to: "2024-03-31T00:30:00.123456789Z" },
      { from: "now-2d" },
    ];
    expect((await ask({ ...range, date_ranges })).buckets).toEqual([
      {
        label: "2024-03-31T00:00:00Z-2024-04-03T12:00:00Z",
        from: Date.parse("2024-03-31"),
        to: Date.parse("2024-04-03T12:00:00Z"),
        string_from: "2024-03-31T00:00:00Z",
        string_to: "2024-04-03T12:00:00Z",
        count: 3,
      },
      {
        label: "*-2024-03-31T00:30:00.123456789Z",
        to: Date.parse("2024-03-31T00:30:00.123Z"),
        string_to: "2024-03-31T00:30:00.123456789Z",
        count: 1,
      },
      {
        label: "2024-04-01T12:00:00Z-*",
        from: Date.parse("2024-04-01T12:00:00Z"),
        string_from: "2024-04-01T12:00:00Z",
        count: 1,
      },
    ]);
  });

  test("reads dates in the local time of a zone", async () => {
    const date_ranges = [{ from: "2024-03-31", to: "2024-04-01" }];
    expect((await ask({ ...range, date_ranges, time_zone: "Europe/Berlin" })).buckets).toEqual([
      {
        label: "2024-03-31T00:00:00+01:00-2024-04-01T00:00:00+02:00",
        from: Date.parse("2024-03-30T23:00:00Z"),
        to: Date.parse("2024-03-31T22:00:00Z"),
        string_from: "2024-03-31T00:00:00+01:00",
        string_to: "2024-04-01T00:00:00+02:00",
        count: 2,
      },
    ]);
    const withOffset = [{ from: "2024-03-31T00:00:00Z", to: "2024-04-01T00:00:00Z" }];
    const inZone = await ask({ ...range, date_ranges: withOffset, time_zone: "Europe/Berlin" });
    expect(inZone.buckets[0]?.from).toBe(Date.parse("2024-03-31T00:00:00Z"));
  });

  test("one element of a list must lie between both bounds", async () => {
    const date_ranges = [
      { from: "2024-03-02", to: "2024-03-03" },
      { from: "2024-03-01", to: "now" },
    ];
    const { buckets } = await ask({ ...range, field: "visits", date_ranges });
    expect(buckets.map(({ count }) => count)).toEqual([0, 2]);
  });

  test("missing is used as the time of records without one", async () => {
    const date_ranges = [{ from: "now-1d", to: "now+1d" }];
    const spec = { ...range, date_ranges, missing: "now" } as const;
    const parts = [{ type: "terms", field: "id" } as const];
    const { buckets } = await ask({ ...spec, sub_aggregates: parts });
    expect(buckets[0]).toMatchObject({ count: 1, sub_aggregates: [{ buckets: [{ label: "e" }] }] });
  });

  test.each([
    [{}, "body[0].date_ranges: date_range requires date_ranges: a list of {from, to}"],
    [
      { date_ranges: [{ from: "yesterday" }] },
      "body[0].date_ranges[0].from: expected an ISO 8601 time, or a relative one such as now-7d, got 'yesterday'",
    ],
    [
      { date_ranges: [{ from: "now", to: "now'" }] },
      "body[0].date_ranges[0].to: expected an ISO 8601 time, or a relative one such as now-7d, got 'now''",
    ],
    [{ date_ranges: [{ from: "now", to: "now-1s" }] }, "body[0].date_ranges[0]: from is after to"],
    [
      { date_ranges: [{ to: "now" }], field: "level" },
      "body[0].field: date_range supports fields of type timestamp, but 'level' is of type number",
    ],
  ])("%j is rejected", async (spec, problem) => {
    expect(await problemsOf({ ...range, ...spec })).toEqual([problem]);
  });
});
