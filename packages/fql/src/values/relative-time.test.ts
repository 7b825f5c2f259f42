import { describe, expect, test } from "vitest";
import { isRelativeTime, relativePeriod } from "./relative-time.ts";

const now = new Date("2024-03-31T12:00:00.250Z");

/** Start and end of the period, without trailing digits that are always zero for a millisecond clock. */
function period(text: string, clock = now): readonly (string | undefined)[] {
  const result = relativePeriod(text, clock);
  return [result?.from, result?.to].map((time) => time?.replace(/000000Z$/, "Z"));
}

describe("relativePeriod", () => {
  test.each([
    ["now", "2024-03-31T12:00:00.250Z"],
    ["now-30s", "2024-03-31T11:59:30.250Z"],
    ["now+90m", "2024-03-31T13:30:00.250Z"],
    ["now-24h", "2024-03-30T12:00:00.250Z"],
    ["now-7d", "2024-03-24T12:00:00.250Z"],
    ["now+1w", "2024-04-07T12:00:00.250Z"],
    ["now-1M", "2024-02-29T12:00:00.250Z"],
    ["now-13M", "2023-02-28T12:00:00.250Z"],
    ["now+6M", "2024-09-30T12:00:00.250Z"],
    ["now-1y", "2023-03-31T12:00:00.250Z"],
    ["now-0d", "2024-03-31T12:00:00.250Z"],
  ])("shifts the clock by %s", (text, from) => {
    expect(period(text)).toEqual([from, from.replace("250Z", "251Z")]);
  });

  test("goes from 29 February to the 28th of other years", () => {
    const leapDay = new Date("2024-02-29T00:00:00.000Z");
    expect(period("now+1y", leapDay)[0]).toBe("2025-02-28T00:00:00.000Z");
    expect(period("now-4y", leapDay)[0]).toBe("2020-02-29T00:00:00.000Z");
  });

  test.each([
    ["last 45 seconds", "2024-03-31T11:59:15.250Z"],
    ["last 1 hour", "2024-03-31T11:00:00.250Z"],
    ["last 7 days", "2024-03-24T12:00:00.250Z"],
    ["last 2 weeks", "2024-03-17T12:00:00.250Z"],
    ["last 1 month", "2024-02-29T12:00:00.250Z"],
    ["last 10 years", "2014-03-31T12:00:00.250Z"],
  ])("covers the time from %s to now", (text, from) => {
    expect(period(text)).toEqual([from, "2024-03-31T12:00:00.251Z"]);
  });

  test.each([
    "",
    "NOW",
    "Now-7d",
    "now-7D",
    "now-7",
    "now -7d",
    "now-7d-1h",
    "now-d",
    "now--7d",
    "now-1.5d",
    "yesterday",
    "last week",
    "last -7 days",
    "Last 7 days",
    "last 7 Days",
    "last 7  days",
    "last 7 constructors",
    "now-1001y",
    "now+99999999999d",
    "last 40000000000 seconds",
  ])("rejects %j", (text) => {
    expect(relativePeriod(text, now)).toBeNull();
    expect(isRelativeTime(text)).toBe(false);
  });
});
