import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldValues } from "@security-platform/fql";
import { runs } from "@security-platform/fql/arbitraries";
import { intervals, spanAt } from "./calendar.ts";
import { ask, counts, problemsOf } from "../../tests/support/aggregates/ask.ts";
import { anySightings, sightingFields } from "../../tests/support/aggregates/sightings.ts";
import { zoneNames } from "../../tests/support/aggregates/zones.ts";
import { milliseconds } from "./times.ts";
import { timeZone, utc } from "./time-zone.ts";

const histogram = { type: "date_histogram", field: "seen_at" } as const;
const keys = (result: Awaited<ReturnType<typeof ask>>): readonly (readonly [unknown, number])[] =>
  result.buckets.map(({ key_as_string: key, count }) => [key, count]);

describe("date_histogram", () => {
  test("counts by calendar interval, with empty buckets in gaps", async () => {
    const result = await ask({ ...histogram, interval: "day" });
    expect(result).toEqual({
      name: "it",
      buckets: [
        { label: Date.parse("2024-03-30"), key_as_string: "2024-03-30T00:00:00Z", count: 1 },
        { label: Date.parse("2024-03-31"), key_as_string: "2024-03-31T00:00:00Z", count: 2 },
        { label: Date.parse("2024-04-01"), key_as_string: "2024-04-01T00:00:00Z", count: 0 },
        { label: Date.parse("2024-04-02"), key_as_string: "2024-04-02T00:00:00Z", count: 1 },
      ],
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
    });
  });

  test.each([
    ["year", [["2024-01-01T00:00:00Z", 4]]],
    [
      "month",
      [
        ["2024-03-01T00:00:00Z", 3],
        ["2024-04-01T00:00:00Z", 1],
      ],
    ],
    [
      "week",
      [
        ["2024-03-25T00:00:00Z", 3],
        ["2024-04-01T00:00:00Z", 1],
      ],
    ],
  ] as const)("by %s", async (interval, expected) => {
    expect(keys(await ask({ ...histogram, interval }))).toEqual(expected);
  });

  test("in the local time of a zone, on the day of a clock change", async () => {
    const spec = { ...histogram, interval: "day", time_zone: "Europe/Berlin" } as const;
    expect(keys(await ask(spec))).toEqual([
      ["2024-03-30T00:00:00+01:00", 1],
      ["2024-03-31T00:00:00+01:00", 2],
      ["2024-04-01T00:00:00+02:00", 0],
      ["2024-04-02T00:00:00+02:00", 1],
    ]);
    expect(keys(await ask({ ...spec, time_zone: "+05:30", min_doc_count: 1 }))).toEqual([
      ["2024-03-31T00:00:00+05:30", 2],
      ["2024-04-01T00:00:00+05:30", 1],
      ["2024-04-02T00:00:00+05:30", 1],
    ]);
  });

  test("min_doc_count and max_doc_count limit the counts", async () => {
    const day = { ...histogram, interval: "day" } as const;
    expect(keys(await ask({ ...day, min_doc_count: 2 }))).toEqual([["2024-03-31T00:00:00Z", 2]]);
    expect(keys(await ask({ ...day, max_doc_count: 0 }))).toEqual([["2024-04-01T00:00:00Z", 0]]);
  });

  test("extended_bounds add empty buckets, and remove none", async () => {
    const month = { ...histogram, interval: "month" } as const;
    const wider = { min: "2024-02-10", max: "now+1M" };
    expect(keys(await ask({ ...month, extended_bounds: wider }))).toEqual([
      ["2024-02-01T00:00:00Z", 0],
      ["2024-03-01T00:00:00Z", 3],
      ["2024-04-01T00:00:00Z", 1],
      ["2024-05-01T00:00:00Z", 0],
    ]);
    const narrower = { min: "2024-04-01", max: "2024-04-02" };
    expect(counts(await ask({ ...month, extended_bounds: narrower }))).toHaveLength(2);
    expect(keys(await ask({ ...month, extended_bounds: narrower, filter: "id:'none'" }))).toEqual([
      ["2024-04-01T00:00:00Z", 0],
    ]);
    // The bound is a date on the zone's clock: 30 April there.
    const zoned = { ...month, time_zone: "America/New_York", filter: "id:'none'" };
    const last = { min: "2024-04-30", max: "2024-04-30" };
    expect(keys(await ask({ ...zoned, extended_bounds: last }))).toEqual([
      ["2024-04-01T00:00:00-04:00", 0],
    ]);
  });

  test("without records there are no buckets", async () => {
    expect(counts(await ask({ ...histogram, interval: "day" }, { records: [] }))).toEqual([]);
  });

  test("missing is used as the time of records without one", async () => {
    const spec = { ...histogram, interval: "day", missing: "2024-04-01T12:00:00Z" } as const;
    const parts = [{ type: "terms", field: "id" } as const];
    const { buckets } = await ask({ ...spec, sub_aggregates: parts });
    expect(
      buckets.map(({ count, sub_aggregates: [ids] = [] }) => [
        count,
        ids?.buckets.map(({ label }) => label),
      ]),
    ).toEqual([
      [1, ["a"]],
      [2, ["b", "c"]],
      [1, ["e"]],
      [1, ["d"]],
    ]);
  });

  test("a record counts once per bucket, even with several times in it", async () => {
    expect(keys(await ask({ ...histogram, field: "visits", interval: "day" }))).toEqual([
      ["2024-03-01T00:00:00Z", 2],
      ["2024-03-02T00:00:00Z", 0],
      ["2024-03-03T00:00:00Z", 1],
    ]);
  });

  test("at the first and last year of timestamps", async () => {
    const records = [
      { id: "first", seen_at: "0000-01-01T00:00:00Z" },
      { id: "last", seen_at: "9999-12-31T23:59:59.999999999Z" },
    ];
    for (const time_zone of ["UTC", "-05:00", "+05:00"]) {
      for (const interval of intervals) {
        const parts = [{ type: "terms", field: "id" } as const];
        const spec = {
          ...histogram,
          interval,
          time_zone,
          min_doc_count: 1,
          sub_aggregates: parts,
        };
        const { buckets } = await ask(spec, { records });
        expect(
          buckets.map(({ sub_aggregates: [ids] = [] }) => ids?.buckets.map(({ label }) => label)),
        ).toEqual([["first"], ["last"]]);
      }
    }
  });

  test("agrees with counting record by record in every zone, and with nested aggregates", async () => {
    await fc.assert(
      fc.asyncProperty(
        anySightings,
        fc.constantFrom(...zoneNames),
        fc.constantFrom("year", "month", "week", "day", "hour"),
        fc.constantFrom("seen_at", "visits"),
        async (records, zoneName, interval, name) => {
          const zone = timeZone(zoneName) ?? utc;
          const field = sightingFields[name];
          if (field === undefined) throw new RangeError(name);
          const naive = new Map<number, number>();
          for (const record of records) {
            const starts = fieldValues(record, name, field).map(
              (value) => spanAt(milliseconds(String(value)), interval, zone).start,
            );
            for (const start of new Set(starts)) naive.set(start, (naive.get(start) ?? 0) + 1);
          }
          const { buckets } = await ask(
            {
              type: "date_histogram",
              field: name,
              interval,
              time_zone: zoneName,
              min_doc_count: 1,
              sub_aggregates: [{ type: "cardinality", field: "id" }],
            },
            { records, limits: { queries: 10_000 } },
          );
          const expected = [...naive].toSorted(([one], [other]) => one - other);
          expect(buckets.map(({ label, count }) => [label, count])).toEqual(expected);
          expect(buckets.map(({ sub_aggregates: [ids] = [] }) => ids?.buckets[0]?.value)).toEqual(
            expected.map(([, count]) => count),
          );
        },
      ),
      { numRuns: runs() },
    );
  });

  test.each(["day", "week"] as const)("if very many %ss cross a boundary", async (interval) => {
    const start = Date.parse("2020-01-01T00:00:00Z");
    const records = Array.from({ length: 3_000 }, (_, index) => ({
      id: `${index}`,
      seen_at: new Date(start + index * (13 * 3_600_000 + 61_000)).toISOString(),
    }));
    const zone = timeZone("Asia/Kolkata") ?? utc;
    const naive = Map.groupBy(
      records,
      ({ seen_at: time }) => spanAt(Date.parse(time), interval, zone).start,
    );
    const spec = { ...histogram, interval, time_zone: "Asia/Kolkata" } as const;
    const { buckets } = await ask({ ...spec, min_doc_count: 1 }, { records });
    expect(buckets.map(({ label, count }) => [label, count])).toEqual(
      [...naive].map(([label, same]) => [label, same.length]),
    );
  });

  test("more buckets than the limit are rejected, even if some of them are empty", async () => {
    const spec = { ...histogram, interval: "hour", min_doc_count: 1 } as const;
    expect(await problemsOf(spec, { limits: { buckets: 4 } })).toEqual([]);
    expect(await problemsOf(spec, { limits: { buckets: 3 } })).toEqual([
      "body[0]: an interval of one hour gives more than 3 buckets; use a longer interval, narrow the filter, or drop empty buckets with min_doc_count 1",
    ]);
  });

  test.each([
    [
      {},
      "body[0].interval: date_histogram requires an interval: one of year, month, week, day, hour, minute",
    ],
    [
      { interval: "fortnight" },
      "body[0].interval: expected one of year, month, week, day, hour, minute, got 'fortnight'",
    ],
    [
      { interval: "day", time_zone: "Mars/Olympus" },
      "body[0].time_zone: unknown time zone 'Mars/Olympus'; use an IANA name such as Europe/Berlin, or an offset such as +02:00",
    ],
    [
      { interval: "day", extended_bounds: { min: "soon", max: "now" } },
      "body[0].extended_bounds.min: expected an ISO 8601 time, or a relative one such as now-7d, got 'soon'",
    ],
    [
      { interval: "day", extended_bounds: { min: "now", max: "now-1d" } },
      "body[0].extended_bounds: min is after max",
    ],
    [
      { interval: "day", field: "kind" },
      "body[0].field: date_histogram supports fields of type timestamp, but 'kind' is of type string",
    ],
    [
      { interval: "minute", extended_bounds: { min: "now-8d", max: "now" } },
      "body[0]: an interval of one minute gives more than 10000 buckets; use a longer interval, narrow the filter, or drop empty buckets with min_doc_count 1",
    ],
  ])("%j is rejected", async (spec, problem) => {
    expect(await problemsOf({ ...histogram, ...(spec as object) })).toEqual([problem]);
  });
});
