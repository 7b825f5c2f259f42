import { describe, expect, test } from "vitest";
import { canonicalInstant, milliseconds, readTime, timeText } from "./times.ts";
import { timeZone, utc } from "./time-zone.ts";

const now = new Date("2024-04-03T12:00:00.250Z");
const berlin = timeZone("Europe/Berlin") ?? utc;

describe("a bound", () => {
  test.each([
    ["2024-03-31", "2024-03-31T00:00:00.000000000Z"],
    ["2024-03-31T10:30", "2024-03-31T10:30:00.000000000Z"],
    ["2024-03-31T10:30:00.123456789+02:00", "2024-03-31T08:30:00.123456789Z"],
    ["now", "2024-04-03T12:00:00.250000000Z"],
    ["now-7d", "2024-03-27T12:00:00.250000000Z"],
    ["now+1M", "2024-05-03T12:00:00.250000000Z"],
  ])("%s is %s", (text, canonical) => {
    expect(readTime(text, utc, now)).toBe(canonical);
  });

  test.each([
    ["2024-03-31", "2024-03-30T23:00:00.000000000Z"],
    ["2024-04-01", "2024-03-31T22:00:00.000000000Z"],
    ["2024-04-01T00:00:00.123456789", "2024-03-31T22:00:00.123456789Z"],
    // The clock is put forward from two to three.
    ["2024-03-31T02:30", "2024-03-31T01:00:00.000000000Z"],
    ["2024-04-01T00:00:00z", "2024-04-01T00:00:00.000000000Z"],
    ["now-1h", "2024-04-03T11:00:00.250000000Z"],
  ])("%s in Berlin is %s", (text, canonical) => {
    expect(readTime(text, berlin, now)).toBe(canonical);
  });

  test.each([
    "",
    "yesterday",
    "NOW",
    "nowish",
    "now-7",
    "now' ",
    "now'+at:>'now",
    "2024-02-30",
    "1711843200",
  ])("%j is not a bound", (text) => {
    expect(readTime(text, utc, now)).toBeNull();
  });
});

describe("a time in a response", () => {
  test.each([
    ["2024-03-31T08:30:00.000000000Z", "2024-03-31T08:30:00Z", "2024-03-31T10:30:00+02:00"],
    ["2024-01-01T00:00:00.120000000Z", "2024-01-01T00:00:00.12Z", "2024-01-01T01:00:00.12+01:00"],
    [
      "2024-01-01T00:00:00.000000001Z",
      "2024-01-01T00:00:00.000000001Z",
      "2024-01-01T01:00:00.000000001+01:00",
    ],
    ["1890-01-01T00:00:00.000000000Z", "1890-01-01T00:00:00Z", "1890-01-01T00:00:00Z"],
  ])("%s", (canonical, inUtc, inBerlin) => {
    expect(timeText(canonical)).toBe(inUtc);
    expect(timeText(canonical, berlin)).toBe(inBerlin);
  });

  test("west of Greenwich", () => {
    const zone = timeZone("-03:30") ?? utc;
    expect(timeText("2024-01-01T00:00:00.000000000Z", zone)).toBe("2023-12-31T20:30:00-03:30");
  });
});

test("milliseconds and canonical text", () => {
  expect(milliseconds("2024-01-01T00:00:00.123999999Z")).toBe(
    Date.parse("2024-01-01T00:00:00.123Z"),
  );
  expect(canonicalInstant(0)).toBe("1970-01-01T00:00:00.000000000Z");
  expect(canonicalInstant(Date.UTC(10_000, 0))).toBeNull();
});
