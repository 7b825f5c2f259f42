import { describe, expect, test } from "vitest";
import { evaluate, matches } from "./evaluate.ts";
import type { Fields } from "./fields.ts";
import { parseFilter } from "../language/parser.ts";
import { FqlSyntaxError } from "../language/syntax-error.ts";

const fields: Fields = { name: { type: "string" }, size: { type: "number" } };
const now = new Date(0);

// tests/cases/meaning.txt covers the meaning of filters. This file covers predicates that no filter produces.
describe("evaluate", () => {
  test("evaluates everything, and groups without operands", () => {
    expect(evaluate({ kind: "nothing" }, {}, fields)).toBe(false);
    expect(evaluate({ kind: "and", operands: [] }, {}, fields)).toBe(true);
    expect(evaluate({ kind: "or", operands: [] }, {}, fields)).toBe(false);
  });

  test("includes both ends of a network, but only the start of a period", () => {
    const ends: Fields = { at: { type: "timestamp" }, ip: { type: "ip" } };
    const network = { kind: "cidr", field: "ip", low: "4:0a000000", high: "4:0a0000ff" } as const;
    const inside = ["9.255.255.255", "10.0.0.0", "10.0.0.255", "10.0.1.0"].map((ip) =>
      evaluate(network, { ip }, ends),
    );
    expect(inside).toEqual([false, true, true, false]);
    const [from, to] = ["2024-01-01T00:00:00.000000000Z", "2024-01-02T00:00:00.000000000Z"];
    const day = { kind: "between", field: "at", from, to } as const;
    const during = ["2023-12-31T23:59:59.999999999Z", from, "2024-01-01T23:59:59.999999999Z", to];
    expect(during.map((at) => evaluate(day, { at }, ends))).toEqual([false, true, true, false]);
  });

  test("orders numbers by their size, not by their digits", () => {
    const sizes = [-10, -9, -0.5, 0, 1e-7, 2, 9, 10, 1e21];
    const found = (filter: string) =>
      sizes.filter((size) => matches(parseFilter(filter), { size }, fields, now));
    for (const [at, size] of sizes.entries()) {
      if (!Number.isInteger(size) || Math.abs(size) > 100) continue;
      expect(found(`size:>${size}`), `${size}`).toEqual(sizes.slice(at + 1));
      expect(found(`size:>=${size}`), `${size}`).toEqual(sizes.slice(at));
      expect(found(`size:<${size}`), `${size}`).toEqual(sizes.slice(0, at));
      expect(found(`size:<=${size}`), `${size}`).toEqual(sizes.slice(0, at + 1));
    }
  });

  test("does not compare values of different types", () => {
    const five = { kind: "equal", field: "size", value: "5", fold: false } as const;
    expect(evaluate(five, { size: 5 }, fields)).toBe(false);
  });

  test("throws for a predicate with unknown fields", () => {
    expect(() => evaluate({ kind: "present", field: "colour" }, {}, fields)).toThrow(RangeError);
  });
});

describe("matches", () => {
  test("throws for an invalid filter, independent of the record", () => {
    expect(() => matches(parseFilter("name:a,nme:b"), { name: "a" }, fields, now)).toThrow(
      FqlSyntaxError,
    );
  });

  test("orders by code points, not code units", () => {
    expect(matches(parseFilter("name:>'\uFF5E'"), { name: "😀" }, fields, now)).toBe(true);
  });
});
