import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantOf, intervals, spanAt, type Interval } from "./calendar.ts";
import { offsetText, wallText, zoneNames } from "../../tests/support/aggregates/zones.ts";
import { timeZone, type TimeZone } from "./time-zone.ts";

const zoneOf = (name: string): TimeZone => {
  const zone = timeZone(name);
  if (zone === null) throw new RangeError(name);
  return zone;
};

const spanTexts = (time: string, interval: Interval, zone: string): readonly string[] => {
  const { start, end } = spanAt(Date.parse(time), interval, zoneOf(zone));
  return [start, end].map((instant) => new Date(instant).toISOString().replace(".000Z", "Z"));
};

describe("the span around an instant", () => {
  test.each([
    ["year", "UTC", "2024-02-29T12:00:00Z", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"],
    ["month", "UTC", "2024-02-29T12:00:00Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"],
    ["week", "UTC", "2024-03-03T23:59:59.999Z", "2024-02-26T00:00:00Z", "2024-03-04T00:00:00Z"],
    ["week", "UTC", "2024-03-04T00:00:00Z", "2024-03-04T00:00:00Z", "2024-03-11T00:00:00Z"],
    ["minute", "UTC", "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:00Z", "1970-01-01T00:00:00Z"],
    ["year", "Asia/Tokyo", "2023-12-31T15:00:00Z", "2023-12-31T15:00:00Z", "2024-12-31T15:00:00Z"],
    // The clock goes forward, so the day has 23 hours. It goes back, so the day has 25.
    [
      "day",
      "Europe/Berlin",
      "2024-03-31T12:00:00Z",
      "2024-03-30T23:00:00Z",
      "2024-03-31T22:00:00Z",
    ],
    [
      "day",
      "Europe/Berlin",
      "2024-10-27T12:00:00Z",
      "2024-10-26T22:00:00Z",
      "2024-10-27T23:00:00Z",
    ],
    // An hour that the clock shows twice counts as two hours.
    [
      "hour",
      "Europe/Berlin",
      "2024-10-27T00:30:00Z",
      "2024-10-27T00:00:00Z",
      "2024-10-27T01:00:00Z",
    ],
    [
      "hour",
      "Europe/Berlin",
      "2024-10-27T01:30:00Z",
      "2024-10-27T01:00:00Z",
      "2024-10-27T02:00:00Z",
    ],
    [
      "hour",
      "Asia/Kolkata",
      "2024-01-01T00:00:00Z",
      "2023-12-31T23:30:00Z",
      "2024-01-01T00:30:00Z",
    ],
    // Midnight does not exist, so the day starts at one.
    [
      "day",
      "America/Sao_Paulo",
      "2018-11-04T12:00:00Z",
      "2018-11-04T03:00:00Z",
      "2018-11-05T02:00:00Z",
    ],
    // Midnight comes twice, and the day starts at the first one.
    [
      "day",
      "America/Sao_Paulo",
      "2018-02-18T02:30:00Z",
      "2018-02-17T02:00:00Z",
      "2018-02-18T03:00:00Z",
    ],
    [
      "day",
      "America/St_Johns",
      "2006-10-29T03:00:00Z",
      "2006-10-29T02:30:00Z",
      "2006-10-30T03:30:00Z",
    ],
    // 30 December 2011 was left out: the 29th ends where the 31st begins.
    ["day", "Pacific/Apia", "2011-12-30T09:00:00Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"],
    ["day", "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"],
    // The clock changes by half an hour.
    [
      "hour",
      "Australia/Lord_Howe",
      "2024-04-06T15:05:00Z",
      "2024-04-06T15:00:00Z",
      "2024-04-06T15:30:00Z",
    ],
    [
      "hour",
      "Australia/Lord_Howe",
      "2024-04-06T14:05:00Z",
      "2024-04-06T14:00:00Z",
      "2024-04-06T15:00:00Z",
    ],
    [
      "hour",
      "Australia/Lord_Howe",
      "2024-10-05T15:35:00Z",
      "2024-10-05T15:30:00Z",
      "2024-10-05T16:00:00Z",
    ],
  ] as const)("%s in %s of %s", (interval, zone, time, start, end) => {
    expect(spanTexts(time, interval, zone)).toEqual([start, end]);
  });

  const anyInstant = fc.integer({
    min: Date.parse("1971-01-01T00:00:00Z"),
    max: Date.parse("2037-01-01T00:00:00Z"),
  });
  const anyCase = fc.record({
    zone: fc.constantFrom(...zoneNames, "America/St_Johns", "America/Havana"),
    interval: fc.constantFrom(...intervals),
    instant: anyInstant,
  });

  test("contains the instant, and has no gap to its neighbours", () => {
    fc.assert(
      fc.property(anyCase, ({ zone: name, interval, instant }) => {
        const zone = zoneOf(name);
        const span = spanAt(instant, interval, zone);
        expect(span.start).toBeLessThanOrEqual(instant);
        expect(span.end).toBeGreaterThan(instant);
        expect(spanAt(span.start, interval, zone)).toEqual(span);
        expect(spanAt(span.end - 1, interval, zone)).toEqual(span);
        expect(spanAt(span.end, interval, zone).start).toBe(span.end);
      }),
      { numRuns: runs(500) },
    );
  });

  test("is the part of the local time's text that the interval defines", () => {
    const lengths = { year: 4, month: 7, day: 10, hour: 13, minute: 16 } as const;
    const nearChange = fc
      .tuple(
        fc.constantFrom(
          Date.parse("2018-11-04T03:00:00Z"),
          Date.parse("2011-12-30T10:00:00Z"),
          Date.parse("2024-10-27T01:00:00Z"),
          Date.parse("2024-04-06T15:00:00Z"),
        ),
        fc.integer({ min: -5 * 3_600_000, max: 5 * 3_600_000 }),
      )
      .map(([change, distance]) => change + distance);
    const instants = fc.oneof(anyInstant, nearChange);
    fc.assert(
      fc.property(
        fc.constantFrom(...zoneNames),
        fc.constantFrom("year", "month", "day", "hour", "minute"),
        instants,
        fc.integer({ min: -26 * 3_600_000, max: 26 * 3_600_000 }),
        (zone, interval, one, distance) => {
          const other = one + distance;
          const name = (instant: number): string =>
            wallText(instant, zone).slice(0, lengths[interval]) +
            (interval === "hour" || interval === "minute" ? offsetText(instant, zone) : "");
          const same =
            spanAt(one, interval, zoneOf(zone)).start ===
            spanAt(other, interval, zoneOf(zone)).start;
          expect(same).toBe(name(one) === name(other));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test("a week starts on Monday in local time", () => {
    fc.assert(
      fc.property(fc.constantFrom(...zoneNames), anyInstant, (zone, instant) => {
        const { start } = spanAt(instant, "week", zoneOf(zone));
        const day = new Date(`${wallText(start, zone).slice(0, 10)}T00:00:00Z`).getUTCDay();
        expect(day).toBe(1);
      }),
      { numRuns: runs() },
    );
  });
});

test("a local time that the clock skips is the instant of the change", () => {
  const skipped = Date.UTC(2024, 2, 31, 2, 30);
  expect(new Date(instantOf(skipped, zoneOf("Europe/Berlin"))).toISOString()).toBe(
    "2024-03-31T01:00:00.000Z",
  );
});
