import { describe, expect, test } from "vitest";
import { and } from "../language/ast.ts";
import type { Fields } from "./fields.ts";
import { lowerFilter } from "./lower.ts";
import { parseFilter } from "../language/parser.ts";
import type { Predicate } from "./predicate.ts";
import { FqlSyntaxError } from "../language/syntax-error.ts";

const fields: Fields = {
  plain: { type: "string" },
  loose: { type: "string", match: "glob", case: "insensitive" },
  listed: { type: "string", values: ["a", "B"] },
  tags: { type: "string", array: true },
  size: { type: "number" },
  flag: { type: "boolean" },
  at: { type: "timestamp" },
  ip: { type: "ip" },
  tenant: { type: "string", form: "tenant-id" },
};
const now = new Date("2024-03-31T12:00:00.000Z");
const lower = (text: string): Predicate => lowerFilter(parseFilter(text), fields, now);

const day = (date: string) => `${date}T00:00:00.000000000Z`;
const present = (field: string): Predicate => ({ kind: "present", field });
const equal = (field: string, value: string | number | boolean, fold = false): Predicate => ({
  kind: "equal",
  field,
  value,
  fold,
});
const glob = (field: string, parts: readonly string[], fold: boolean): Predicate => ({
  kind: "glob",
  field,
  parts,
  fold,
});
const not = (operand: Predicate): Predicate => ({ kind: "not", operand });
const any = (...operands: readonly Predicate[]): Predicate => ({ kind: "or", operands });

describe("lowerFilter", () => {
  test("reads tenant ids in upper case and with a check suffix", () => {
    const id = "0123456789abcdef0123456789abcdef";
    const written = `${id.toUpperCase()}-1A`;
    expect(lower(`tenant:'${written}'`)).toEqual(equal("tenant", id));
    expect(lower(`tenant:!'${id.toUpperCase()}'`)).toEqual(not(equal("tenant", id)));
    expect(lower(`tenant:['${written}','other']`)).toMatchObject({ values: [id, "other"] });
    expect(lower("tenant:'X'")).toEqual(equal("tenant", "X"));
    expect(lower(`tenant:>='${written}'`)).toMatchObject({ operator: ">=", value: id });
  });

  test("orders a field with listed values by any text, as it is written", () => {
    for (const value of ["A", "b", "c"]) {
      expect(lower(`listed:>'${value}'`)).toEqual({
        kind: "compare",
        field: "listed",
        operator: ">",
        value,
      });
    }
  });

  test.each<[string, Predicate]>([
    ["", { kind: "everything" }],
    ["PLAIN:'A*b'", equal("plain", "A*b")],
    ["plain:!'A'", not(equal("plain", "A"))],
    ["plain:7.10", equal("plain", "7.10")],
    ["plain:''", any(not(present("plain")), equal("plain", ""))],
    ["plain:!''", not(any(not(present("plain")), equal("plain", "")))],
    ["plain:['']", { kind: "any-of", field: "plain", values: [""] }],
    ["plain:null", not(present("plain"))],
    ["plain:!null", present("plain")],
    ["plain:*", present("plain")],
    ["plain:!*'**'", not(present("plain"))],
    ["plain:*'a**b*'", glob("plain", ["a", "b", ""], false)],
    ["plain:*'A'", equal("plain", "A")],
    ["plain:~*'A*'", glob("plain", ["a", ""], true)],
    ["plain:~*'A'", equal("plain", "a", true)],
    ["plain:~'A-b c'", { kind: "text", field: "plain", needle: "abc", words: ["a", "b", "c"] }],
    ["plain:>='b'", { kind: "compare", field: "plain", operator: ">=", value: "b" }],
    ["loose:'Ab'", equal("loose", "ab", true)],
    ["loose:'A*'", glob("loose", ["a", ""], true)],
    ["loose:'*'", present("loose")],
    ["loose:*'A*'", glob("loose", ["a", ""], true)],
    ["loose:['A*']", { kind: "any-of", field: "loose", values: ["A*"] }],
    ["listed:['','B']", { kind: "any-of", field: "listed", values: ["", "B"] }],
    ["listed:~'b'", { kind: "text", field: "listed", needle: "b", words: ["b"] }],
    [
      "tags:['x',null]",
      any({ kind: "any-of", field: "tags", values: ["x"] }, not(present("tags"))),
    ],
    ["tags:*['x*','y']", any(glob("tags", ["x", ""], false), equal("tags", "y"))],
    ["size:'5.0'", equal("size", 5)],
    ["size:-0", equal("size", 0)],
    ["size:''", not(present("size"))],
    ["size:![1,'2']", not({ kind: "any-of", field: "size", values: [1, 2] })],
    ["size:=<5", { kind: "compare", field: "size", operator: "<=", value: 5 }],
    ["flag:'TRUE'", equal("flag", true)],
    [
      "at:2024-02-29",
      { kind: "between", field: "at", from: day("2024-02-29"), to: day("2024-03-01") },
    ],
    ["at:>2024-02-29", { kind: "compare", field: "at", operator: ">", value: day("2024-02-29") }],
    [
      "at:<'last 7 days'",
      { kind: "compare", field: "at", operator: "<", value: "2024-03-24T12:00:00.000000000Z" },
    ],
    [
      "at:[2024-02-29]",
      { kind: "between", field: "at", from: day("2024-02-29"), to: day("2024-03-01") },
    ],
    ["ip:192.0.2.1", equal("ip", "4:c0000201")],
    [
      "ip:['192.0.2.1','10.0.0.0/8']",
      any(
        { kind: "any-of", field: "ip", values: ["4:c0000201"] },
        { kind: "cidr", field: "ip", low: "4:0a000000", high: "4:0affffff" },
      ),
    ],
    ["tags:'a'+tags:'b'", { kind: "and", operands: [equal("tags", "a"), equal("tags", "b")] }],
    [
      "flag:true,size:1+tags:a",
      any(equal("flag", true), { kind: "and", operands: [equal("size", 1), equal("tags", "a")] }),
    ],
  ])("reads %s", (text, predicate) => {
    expect(lower(text)).toEqual(predicate);
  });

  test("reports positions in the parsed text", () => {
    expect(() => lower(" plain : x , size : [1, 2 ,'x']")).toThrow(
      expect.objectContaining({ offset: 27, reason: "'size' must be a number, not 'x'" }),
    );
  });

  test("reports positions in the printed form of a filter that was built in code", () => {
    const built = and([parseFilter("  plain : x"), parseFilter("  size : ~ 'x'")]);
    expect(() => lowerFilter(built, fields, now)).toThrow(
      expect.objectContaining({
        offset: "plain:'x'+size:".length,
        excerpt: ["plain:'x'+size:~'x'", "               ^"].join("\n"),
      }),
    );
  });

  test("does not limit a filter that was built in code", () => {
    const many = Array.from({ length: 1_500 }, (_, index) => parseFilter(`f${index}:1`));
    expect(() => lowerFilter(and(many), fields, now)).toThrow(
      expect.objectContaining({ reason: "unknown field 'f0'" }),
    );
  });

  test("rejects a pattern that is longer than databases allow", () => {
    const longest = "a*".repeat(4_096);
    expect(lower(`plain:*'${longest}'`)).toMatchObject({ kind: "glob" });
    expect(() => lower(`plain:*'${longest}b'`)).toThrow(FqlSyntaxError);
  });

  test("rejects a number that overflows", () => {
    expect(() => lower(`size:${"9".repeat(400)}`)).toThrow(FqlSyntaxError);
  });
});
