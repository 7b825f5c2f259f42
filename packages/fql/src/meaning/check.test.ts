import { describe, expect, test } from "vitest";
import { checkFilter, relativeTimes, usesNow } from "./check.ts";
import type { Fields } from "./fields.ts";
import { parseFilter } from "../language/parser.ts";

const fields: Fields = {
  type: { type: "string", values: ["domain"] },
  seen: { type: "timestamp" },
  hidden: { type: "string", filterable: false },
};

describe("checkFilter", () => {
  test("reports nothing for a valid filter", () => {
    expect(checkFilter(parseFilter("type:'domain'+seen:>now-7d"), fields)).toEqual([]);
    expect(checkFilter(parseFilter(""), fields)).toEqual([]);
  });

  test("reports one issue per condition, in text order", () => {
    const filter = parseFilter("typ:'x',(seen:>5,hidden:x)");
    expect(checkFilter(filter, fields)).toEqual([
      {
        offset: 0,
        excerpt: "typ:'x',(seen:>5,hidden:x)\n^",
        reason: "unknown field 'typ'",
        suggestion: "type",
      },
      expect.objectContaining({ offset: 15, reason: "'seen' must be a timestamp, not 5" }),
      expect.objectContaining({ offset: 17, reason: "'hidden' does not support filtering" }),
    ]);
  });

  test("never suggests a field that does not support filtering", () => {
    const [issue] = checkFilter(parseFilter("hiden:1"), fields);
    expect(issue).not.toHaveProperty("suggestion");
  });
});

describe("usesNow", () => {
  test.each([
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
  test("reports the position of each, on timestamp fields only", () => {
    const filter = parseFilter("type:'now'+Seen:>'now-7d',seen:['2024-01-01','last 7 days']");
    expect(relativeTimes(filter, fields).map(({ offset }) => offset)).toEqual([17, 45]);
    expect(relativeTimes(filter, fields)[0]).toMatchObject({
      reason: "relative times are not allowed here",
      excerpt: expect.stringContaining("\n                 ^"),
    });
    expect(relativeTimes(parseFilter("seen:>'2024-01-01'"), fields)).toEqual([]);
  });
});
