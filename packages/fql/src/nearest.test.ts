import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.ts";

const known = ["type", "tags", "value", "severity", "severity_number", "metadata.filename.raw"];

describe("nearest", () => {
  it.each([
    ["typ", "type"],
    ["tpye", "type"],
    ["Types", "type"],
    ["severty", "severity"],
    ["serverity_numbr", "severity_number"],
    ["metadata.filename", "metadata.filename.raw"],
    ["filename", "metadata.filename.raw"],
    ["tag", "tags"],
  ])("takes %s for %s", (word, meant) => {
    expect(nearest(word, known)).toBe(meant);
  });

  it.each(["", "x", "hostname", "severity_number_of_it", "v".repeat(60_000)])(
    "takes %j for nothing",
    (word) => {
      expect(nearest(word, known)).toBeUndefined();
    },
  );

  it("takes the nearest, and of equals the first", () => {
    expect(nearest("bat", ["boot", "bad", "cat"])).toBe("bad");
    expect(nearest("pi", ["ip"])).toBe("ip");
    expect(nearest("bat", [])).toBeUndefined();
  });
});
