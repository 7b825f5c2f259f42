import { describe, expect, test } from "vitest";
import { timeZone } from "./time-zone.ts";

const minute = 60_000;
const offsetAt = (name: string, time: string): number | undefined => {
  const zone = timeZone(name);
  return zone === null ? undefined : zone.offset(Date.parse(time)) / minute;
};

describe("time zones", () => {
  test.each([
    ["Europe/Berlin", "2024-03-31T00:59:59Z", 60],
    ["Europe/Berlin", "2024-03-31T01:00:00Z", 120],
    ["europe/berlin", "2024-10-27T00:59:59.999Z", 120],
    ["America/New_York", "2024-01-01T00:00:00Z", -300],
    ["Asia/Kathmandu", "2024-01-01T00:00:00Z", 345],
    ["Australia/Lord_Howe", "2024-01-01T00:00:00Z", 660],
    ["Australia/Lord_Howe", "2024-07-01T00:00:00Z", 630],
    ["Pacific/Apia", "2011-12-30T09:59:59Z", -600],
    ["Pacific/Apia", "2011-12-30T10:00:00Z", 840],
    ["+05:30", "2024-01-01T00:00:00Z", 330],
    ["-03:30", "2024-01-01T00:00:00Z", -210],
    ["-00:00", "2024-01-01T00:00:00Z", 0],
    ["UTC", "2024-01-01T00:00:00Z", 0],
    ["Z", "2024-01-01T00:00:00Z", 0],
    ["Asia/Tokyo", "1969-12-31T23:59:59.500Z", 540],
    ["Etc/GMT+5", "0000-12-31T01:00:00Z", -300],
    ["Etc/GMT-14", "9999-12-31T23:00:00Z", 840],
  ])("%s at %s is %i minutes ahead", (name, time, minutes) => {
    expect(offsetAt(name, time)).toBe(minutes);
  });

  test("local mean time contains seconds", () => {
    expect(timeZone("Europe/Berlin")?.offset(Date.parse("1890-01-01T00:00:00Z"))).toBe(3_208_000);
  });

  test.each(["", "Mars/Olympus", "+5:30", "+0530", "+24:00", "+05:60", "05:30", "local", "now"])(
    "%j is not a time zone",
    (name) => {
      expect(timeZone(name)).toBeNull();
    },
  );
});
