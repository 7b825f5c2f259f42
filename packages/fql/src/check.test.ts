import { describe, expect, it } from "vitest";
import { checkFilter, relativeTimes, usesNow } from "./check.ts";
import type { Fields } from "./fields.ts";
import { parseFilter } from "./parser.ts";

const fields: Fields = {
  type: { type: "string", values: ["domain"] },
  seen: { type: "timestamp" },
  hidden: { type: "string", filterable: false },
};

describe("checkFilter", () => {
  it("finds nothing wrong with a filter that fits", () => {
    expect(checkFilter(parseFilter("type:'domain'+seen:>now-7d"), fields)).toEqual([]);
    expect(checkFilter(parseFilter(""), fields)).toEqual([]);
  });

  it("finds one issue a condition, in the order of the text", () => {
    const filter = parseFilter("typ:'x',(seen:>5,hidden:x)");
    expect(checkFilter(filter, fields)).toEqual([
      {
        offset: 0,
        excerpt: "typ:'x',(seen:>5,hidden:x)\n^",
        reason: "unknown field 'typ'",
        suggestion: "type",
      },
      expect.objectContaining({ offset: 15, reason: "'seen' takes a timestamp, not 5" }),
      expect.objectContaining({ offset: 17, reason: "'hidden' cannot be filtered by" }),
    ]);
  });

  it("never proposes a field that cannot be filtered by", () => {
    const [issue] = checkFilter(parseFilter("hiden:1"), fields);
    expect(issue).not.toHaveProperty("suggestion");
  });
});

describe("usesNow", () => {
  it.each([
    ["seen:>now-7d", true],
    ["seen:'last 7 days'", true],
    ["type:'x'+(seen:2024-01-01,seen:![2024-01-01,'now'])", true],
    ["seen:>'2024-01-01'", false],
    ["type:'nowhere'", false],
    ["", false],
  ])("of %s is %s", (text, uses) => {
    expect(usesNow(parseFilter(text))).toBe(uses);
  });
});

describe("relativeTimes", () => {
  it("finds each where it stands, on timestamps only", () => {
    const filter = parseFilter("type:'now'+Seen:>'now-7d',seen:['2024-01-01','last 7 days']");
    expect(relativeTimes(filter, fields).map(({ offset }) => offset)).toEqual([17, 45]);
    expect(relativeTimes(filter, fields)[0]).toMatchObject({
      reason: "a relative time is not possible here",
      excerpt: expect.stringContaining("\n                 ^"),
    });
    expect(relativeTimes(parseFilter("seen:>'2024-01-01'"), fields)).toEqual([]);
  });
});
