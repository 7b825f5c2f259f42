import { describe, expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const candidates = [
  "type",
  "tags",
  "value",
  "severity",
  "severity_number",
  "metadata.filename.raw",
];

describe("nearest", () => {
  test.each([
    ["typ", "type"],
    ["tpye", "type"],
    ["Types", "type"],
    ["severty", "severity"],
    ["serverity_numbr", "severity_number"],
    ["metadata.filename", "metadata.filename.raw"],
    ["filename", "metadata.filename.raw"],
    ["tag", "tags"],
  ])("suggests %s for %s", (word, suggestion) => {
    expect(nearest(word, candidates)).toBe(suggestion);
  });

  test.each(["", "x", "hostname", "severity_number_of_it", "v".repeat(60_000)])(
    "suggests nothing for %j",
    (word) => {
      expect(nearest(word, candidates)).toBeUndefined();
    },
  );

  test("suggests the nearest candidate, and the first of equal ones", () => {
    expect(nearest("bat", ["boot", "bad", "cat"])).toBe("bad");
    expect(nearest("pi", ["ip"])).toBe("ip");
    expect(nearest("bat", [])).toBeUndefined();
  });
});
