import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../arbitraries/runs.ts";
import { canonicalTimestamp, clockPeriod, writtenPeriod } from "./timestamp.ts";

describe("canonicalTimestamp", () => {
  test.each([
    ["2024-02-29", "2024-02-29T00:00:00.000000000Z"],
    ["2024-02-29T10:20", "2024-02-29T10:20:00.000000000Z"],
    ["2024-02-29T10:20:30", "2024-02-29T10:20:30.000000000Z"],
    ["2024-02-29T10:20:30Z", "2024-02-29T10:20:30.000000000Z"],
    ["2024-02-29t10:20:30z", "2024-02-29T10:20:30.000000000Z"],
    ["2024-02-29T10:20:30.5Z", "2024-02-29T10:20:30.500000000Z"],
    ["2024-02-29T10:20:30.123456789", "2024-02-29T10:20:30.123456789Z"],
    ["2024-03-01T01:00:00.25+05:30", "2024-02-29T19:30:00.250000000Z"],
    ["1969-12-31T20:00:00-05:00", "1970-01-01T01:00:00.000000000Z"],
    ["0000-01-01", "0000-01-01T00:00:00.000000000Z"],
    ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"],
  ])("reads %s", (text, canonical) => {
    expect(canonicalTimestamp(text)).toBe(canonical);
  });

  test.each([
    "",
    "now",
    "2024",
    "2024-02",
    "2024-02-30",
    "2023-02-29",
    "2024-13-01",
    "2024-1-1",
    "2024-01-01T24:00",
    "2024-01-01T10",
    "2024-01-01T10:60",
    "2024-01-01T23:59:60Z",
    "2024-01-01T10:00:00.",
    "2024-01-01T10:00:00.1234567890Z",
    "2024-01-01T10:00:00+24:00",
    "2024-01-01T10:00:00+0100",
    "2024-01-01 10:00:00",
    " 2024-01-01",
    "0000-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "+010000-01-01",
  ])("rejects %j", (text) => {
    expect(canonicalTimestamp(text)).toBeNull();
  });

  test("returns texts whose order is the order of time", () => {
    const date = fc.date({
      min: new Date("0000-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, date, (left, right) => {
        const [first = "", second = ""] = [left, right].map((time) =>
          canonicalTimestamp(time.toISOString()),
        ) as string[];
        expect(first < second).toBe(left < right);
      }),
      { numRuns: runs() },
    );
  });
});

describe("writtenPeriod", () => {
  test.each([
    ["2024-02-29", "2024-02-29T00:00:00.000000000Z", "2024-03-01T00:00:00.000000000Z"],
    ["2024-02-29T23:59", "2024-02-29T23:59:00.000000000Z", "2024-03-01T00:00:00.000000000Z"],
    ["2024-02-29T23:59:59", "2024-02-29T23:59:59.000000000Z", "2024-03-01T00:00:00.000000000Z"],
    ["2024-02-29T23:59:59.9", "2024-02-29T23:59:59.900000000Z", "2024-03-01T00:00:00.000000000Z"],
    ["1969-12-31T23:59:59.001", "1969-12-31T23:59:59.001000000Z", "1969-12-31T23:59:59.002000000Z"],
    [
      "2024-01-01T00:00:00.000000009Z",
      "2024-01-01T00:00:00.000000009Z",
      "2024-01-01T00:00:00.000000010Z",
    ],
    ["2024-01-01T00:30+01:00", "2023-12-31T23:30:00.000000000Z", "2023-12-31T23:31:00.000000000Z"],
    ["9999-12-31", "9999-12-31T00:00:00.000000000Z", "9999-12-31T24:00:00.000000000Z"],
  ])("%s covers its whole period", (text, from, to) => {
    expect(writtenPeriod(text)).toEqual({ from, to });
    expect(from < to).toBe(true);
  });
});

describe("clockPeriod", () => {
  test("ends at the end of the last millisecond", () => {
    const instant = new Date("1969-12-31T23:59:59.999Z");
    expect(clockPeriod(instant, instant)).toEqual({
      from: "1969-12-31T23:59:59.999000000Z",
      to: "1970-01-01T00:00:00.000000000Z",
    });
  });
});

test("reads the usual format of records like all other spellings", () => {
  const start = Date.parse("2024-01-01T00:00:00.007Z");
  for (let hours = 0; hours < 3 * 366 * 24; hours += 7) {
    const text = new Date(start + hours * 3_600_000).toISOString();
    expect(canonicalTimestamp(text)).toBe(canonicalTimestamp(text.replace("Z", "+00:00")));
  }
  for (const text of [
    "2026-02-30T10:00:00.000Z",
    "2026-00-10T10:00:00.000Z",
    "2026-13-10T10:00:00.000Z",
    "2026-01-00T10:00:00.000Z",
    "2026-01-10T24:00:00.000Z",
    "2026-01-10T10:60:00.000Z",
    "2026-01-10T10:00:60.000Z",
    "2026-01-10T10:00:00.000Z\n",
  ]) {
    expect(canonicalTimestamp(text), text).toBeNull();
  }
});
