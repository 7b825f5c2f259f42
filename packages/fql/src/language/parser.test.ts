import { describe, expect, test } from "vitest";
import { defaultLimits } from "./limits.ts";
import { parseFilter } from "./parser.ts";
import { FqlSyntaxError } from "./syntax-error.ts";

function refusal(read: () => unknown): FqlSyntaxError {
  try {
    read();
  } catch (error) {
    if (error instanceof FqlSyntaxError) return error;
    throw error;
  }
  throw new Error("the text was accepted");
}

describe("parseFilter", () => {
  test("returns plain data, equal for equivalent texts", () => {
    expect(parseFilter(" a : ! ['x', 1.50] ")).toEqual({
      kind: "condition",
      property: "a",
      operator: "=",
      negated: true,
      value: {
        kind: "list",
        items: [
          { kind: "string", value: "x" },
          { kind: "number", text: "1.50" },
        ],
      },
    });
    expect(parseFilter("(a:x),b:>1")).toStrictEqual(parseFilter('a : "x" , b :> 1'));
    expect(parseFilter("a:x")).not.toEqual(parseFilter("a:X"));
  });

  test("flattens redundant chains and groups", () => {
    const chain = parseFilter(Array.from({ length: 200 }, () => "a:1").join(","));
    expect(chain).toMatchObject({ kind: "or", operands: { length: 200 } });
    expect(parseFilter("((a:1+a:2)+(a:3+(a:4)))")).toMatchObject({
      kind: "and",
      operands: { length: 4 },
    });
  });

  test("reports the place, the reason and a correction", () => {
    const error = refusal(() => parseFilter("type:'domain' expired:false"));
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "FqlSyntaxError",
      offset: 14,
      reason: "missing '+' or ',' between two conditions",
      excerpt: ["type:'domain' expired:false", "              ^"].join("\n"),
    });
    expect(error.message).toBe(
      [
        "Invalid filter expression supplied: missing '+' or ',' between two conditions at offset 14. " +
          "Join conditions with '+' (and) or ',' (or); a raw '+' in a URL decodes to a space, " +
          "so send it as %2B.",
        "type:'domain' expired:false",
        "              ^",
      ].join("\n"),
    );
  });

  test("does not repeat a long text in its error", () => {
    const error = refusal(() => parseFilter(`${"a".repeat(60_000)}!`));
    expect(error.message.length).toBeLessThan(500);
    expect(error.offset).toBe(60_000);
  });
});

const deep = (levels: number) => `${"(".repeat(levels)}a:1${")".repeat(levels)}`;
const conditions = (count: number) => Array.from({ length: count }, () => "a:1").join("+");
const list = (count: number) => `a:[${Array.from({ length: count }, () => "1").join()}]`;
const properties = (count: number) =>
  Array.from({ length: count }, (_, index) => `a${index}:1`).join(",");

describe("the limits", () => {
  test.each([
    ["bytes", (bytes: number) => `a:'${"é".repeat((bytes - 4) / 2)}'`, 64 * 1024, 2],
    ["nesting", deep, 32, 1],
    ["conditions", conditions, 200, 1],
    ["list items", list, 1_000, 1],
    ["properties", properties, 20, 1],
  ])("on %s rejects one more, and accepts the maximum", (_, text, maximum, step) => {
    expect(() => parseFilter(text(maximum))).not.toThrow();
    expect(refusal(() => parseFilter(text(maximum + step))).reason).toMatch(
      new RegExp(`(more|longer) than ${maximum} `),
    );
  });

  test("report the position of the first excess element", () => {
    expect(refusal(() => parseFilter(deep(33))).offset).toBe(32);
    expect(refusal(() => parseFilter(conditions(201))).offset).toBe(800);
    expect(refusal(() => parseFilter(list(1_001))).offset).toBe(2_003);
  });

  test("on conditions suggests a list, which is one condition", () => {
    expect(refusal(() => parseFilter(conditions(201))).hint).toMatch(/as a list/);
    expect(() => parseFilter(`${list(1_000)},${conditions(199)}`)).not.toThrow();
  });

  test.each([
    ["alternatives that name a value of one field", "a:", ","],
    ["exclusions of a value of one field", "a:!", "+"],
  ])("count %s as one condition", (_, start, separator) => {
    const run = (count: number) =>
      Array.from({ length: count }, (__, index) => `${start}${index}`).join(separator);
    expect(() => parseFilter(`${run(1_000)}${separator}(${conditions(199)})`)).not.toThrow();
    expect(() => parseFilter(`${run(1_000)}${separator}(${conditions(200)})`)).toThrow(
      "more than 200",
    );
    expect(() => parseFilter(`${run(1_001)}${separator}(${conditions(199)})`)).toThrow(
      "more than 200",
    );
    const mixed = `${run(1)}${separator}b:1${separator}`.repeat(100);
    expect(() => parseFilter(`${mixed}${run(1)}`)).toThrow("more than 200");
  });

  test("count a property once, ignoring case", () => {
    expect(() => parseFilter("a:1+A:2", { properties: 1 })).not.toThrow();
    expect(() => parseFilter("a:1+b:2", { properties: 1 })).toThrow(FqlSyntaxError);
  });

  test("can be set one by one", () => {
    expect(() => parseFilter(deep(40), { nesting: 40 })).not.toThrow();
    expect(() => parseFilter(conditions(201), { nesting: 40 })).toThrow(FqlSyntaxError);
    expect(defaultLimits.nesting).toBe(32);
  });
});
