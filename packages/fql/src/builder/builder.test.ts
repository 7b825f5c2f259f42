import { describe, expect, expectTypeOf, test } from "vitest";
import { parseFilter } from "../language/parser.ts";
import { printFilter } from "../language/print.ts";
import type { Filter } from "../language/ast.ts";
import type { Fields } from "../meaning/fields.ts";
import { fql } from "./builder.ts";
import type { FilterableName, FilterOf, ValueOf } from "./field-types.ts";

const fields = {
  type: { type: "string", values: ["domain", "ipv4"] },
  value: { type: "string", match: "glob", sortable: true },
  tags: { type: "string", array: true },
  severity_number: { type: "number" },
  expired: { type: "boolean" },
  expiration: { type: "timestamp" },
  address: { type: "ip" },
  "metadata.filename.raw": { type: "string", path: "metadata.filename" },
  seq: { type: "number", filterable: false, sortable: true },
} as const satisfies Fields;

type Table = typeof fields;
const f = fql<Table>();

describe("fql", () => {
  test.each([
    [f.where("type").equals("domain"), "type:'domain'"],
    [f.where("type").not.equals(null), "type:!null"],
    [f.where("type").oneOf(["domain", "ipv4", null]), "type:['domain','ipv4',null]"],
    [f.where("tags").not.oneOf(["a"]), "tags:!['a']"],
    [f.where("tags").equals(""), "tags:['']"],
    [f.where("tags").isEmpty(), "tags:''"],
    [f.where("expiration").not.isPresent(), "expiration:!*'*'"],
    [f.where("value").glob("*.test"), "value:*'*.test'"],
    [f.where("value").globIgnoringCase("*it's\\*"), "value:~*'*it\\'s\\\\*'"],
    [f.where("value").not.text("a b"), "value:!~'a b'"],
    [f.where("severity_number").atLeast(50), "severity_number:>=50"],
    [f.where("severity_number").lessThan(-1.5), "severity_number:<-1.5"],
    [f.where("expired").equals(false), "expired:false"],
    [f.where("expiration").atMost("now-7d"), "expiration:<='now-7d'"],
    [f.where("expiration").equals("last 7 days"), "expiration:'last 7 days'"],
    [f.where("expiration").greaterThan(new Date(0)), "expiration:>'1970-01-01T00:00:00.000Z'"],
    [f.where("address").equals("192.0.2.0/24"), "address:'192.0.2.0/24'"],
    [f.where("metadata.filename.raw").equals("a.exe"), "metadata.filename.raw:'a.exe'"],
  ])("prints %j as %s", (filter, text) => {
    expect(printFilter(filter)).toBe(text);
    expect(parseFilter(text)).toEqual(filter);
  });

  test("joins conditions in normal form", () => {
    const a = f.where("type").equals("domain");
    const b = f.where("expired").equals(true);
    const c = f.where("tags").equals("x");
    expect(printFilter(f.and(a, f.or(b, c)))).toBe("type:'domain'+(expired:true,tags:'x')");
    expect(f.and(a, f.and(b, c))).toEqual(f.and(a, b, c));
    expect(f.and(a)).toBe(a);
    expect(f.and()).toEqual({ kind: "everything" });
    expect(() => f.or()).toThrow(RangeError);
  });

  test("says which argument cannot be part of a filter", () => {
    const wrong = undefined as never;
    const name = f.where("type");
    const number = f.where("severity_number");
    const calls: readonly (readonly [() => unknown, string])[] = [
      [() => name.equals(wrong), "equals(value) on 'type' needs a string, number, boolean, Date"],
      [() => name.not.equals({} as never), "or null, not an object"],
      [() => name.oneOf(["domain", wrong]), "oneOf(values[1]) on 'type' needs a string"],
      [() => name.oneOf(wrong), "oneOf(values) on 'type' needs a list of values, not undefined"],
      [() => name.glob(wrong), "glob(value) on 'type' needs a string, not undefined"],
      [() => name.globIgnoringCase(wrong), "globIgnoringCase(value) on 'type' needs a string"],
      [() => name.text(null as never), "text(value) on 'type' needs a string, not null"],
      [() => number.atLeast(wrong), "atLeast(value) on 'severity_number' needs"],
      [() => number.atMost(wrong), "atMost(value) on 'severity_number' needs"],
      [() => number.greaterThan(wrong), "greaterThan(value) on 'severity_number' needs"],
      [() => number.lessThan(wrong), "lessThan(value) on 'severity_number' needs"],
      [() => f.where(wrong), "where(name) needs the name of a field, not undefined"],
      [() => f.and(name.equals("domain"), wrong), "and(filters[1]) needs a filter, not undefined"],
      [() => f.or(wrong), "or(filters[0]) needs a filter, not undefined"],
    ];
    for (const [call, message] of calls) {
      expect(call).toThrow(TypeError);
      expect(call).toThrow(message);
    }
  });

  test("throws for conditions that FQL cannot express", () => {
    expect(() => f.where("severity_number").equals(Number.NaN)).toThrow(RangeError);
    expect(() => f.where("severity_number").atMost(Infinity)).toThrow(RangeError);
    expect(() => f.where("type").oneOf([])).toThrow(RangeError);
    expect(() => f.where("expiration").equals(new Date(Number.NaN))).toThrow(RangeError);
  });

  test("does not compile with an unknown field, operator or value", () => {
    const wrong = [
      // @ts-expect-error unknown field
      f.where("typ").equals("domain"),
      // @ts-expect-error not filterable
      f.where("seq").equals(1),
      // @ts-expect-error not one of the field's values
      f.where("type").equals("file"),
      // @ts-expect-error not one of the field's values
      f.where("type").oneOf(["domain", "file"]),
      // @ts-expect-error must be a number
      f.where("severity_number").atLeast("50"),
      // @ts-expect-error must be a boolean
      f.where("expired").equals(1),
      // @ts-expect-error booleans have no order
      f.where("expired").greaterThan(false),
      // @ts-expect-error addresses have no patterns
      f.where("address").glob("10.*"),
      // @ts-expect-error addresses cannot be ordered
      f.where("address").atLeast("10.0.0.1"),
      // @ts-expect-error numbers do not contain text
      f.where("severity_number").text("5"),
      // @ts-expect-error not a time
      f.where("expiration").atLeast("yesterday"),
      // @ts-expect-error units are lower-case, and so is now
      f.where("expiration").atLeast("NOW-7d"),
      // @ts-expect-error an order operator is never true for null
      f.where("severity_number").atLeast(null),
    ];
    // Only the compiler checks these lines; `checkFilter` checks filters at run time.
    expect(wrong).toHaveLength(13);
  });

  test("does not negate order operators", () => {
    // @ts-expect-error an order operator has no complement
    expect(() => f.where("severity_number").not.atLeast(1)).toThrow(TypeError);
  });

  test("derives names and values from the table", () => {
    expectTypeOf<ValueOf<Table["type"]>>().toEqualTypeOf<"domain" | "ipv4">();
    expectTypeOf<ValueOf<Table["tags"]>>().toEqualTypeOf<string>();
    expectTypeOf<ValueOf<Table["severity_number"]>>().toEqualTypeOf<number>();
    expectTypeOf<FilterableName<Table>>().toEqualTypeOf<Exclude<keyof Table, "seq">>();
  });

  test("rejects filters on other tables at compile time", () => {
    type Other = { readonly colour: { readonly type: "string" } };
    expectTypeOf<FilterOf<Other>>().not.toExtend<FilterOf<Table>>();
    expectTypeOf<FilterOf<Pick<Table, "type">>>().toExtend<FilterOf<Table>>();
    expectTypeOf<Filter>().toExtend<FilterOf<Table>>();
    expectTypeOf<FilterOf<Table>>().toExtend<Filter>();
  });
});
