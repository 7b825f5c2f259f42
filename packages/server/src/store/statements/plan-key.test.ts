import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { numberedPlan, Parameter, planKey } from "./plan-key.ts";

const { plan: arbitraryPlan } = fc.letrec((tie) => ({
  plan: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.boolean(), fc.constant(null), fc.integer({ min: -2, max: 2 })),
    fc.constantFrom("", "?", '"', "\\", "a", "[?,]", "null", "1", '"a"'),
    fc.integer().map((value) => new Parameter(value)),
    fc.array(tie("plan"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", '"', "a:?"), tie("plan"), { maxKeys: 3 }),
  ),
}));

const keyOf = (plan: unknown): string => planKey(plan, []);

test("plans with equal keys differ only in the values of their parameters", () => {
  fc.assert(
    fc.property(arbitraryPlan, arbitraryPlan, (one, other) => {
      fc.pre(keyOf(one) === keyOf(other));
      expect(numberedPlan(one)).toEqual(numberedPlan(other));
    }),
    { numRuns: runs() },
  );
});

test.each([
  [["a", "b"], ['a","b']],
  [{ a: 1, b: 1 }, { 'a":1,"b': 1 }],
  [["?"], [new Parameter("?")]],
  [["1"], [1]],
  [["null"], [null]],
  [[[], []], [[[]]]],
  [["\\"], ["\\\\"]],
])("different plans have different keys: %j and %j", (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});

test("values are not part of a key", () => {
  fc.assert(
    fc.property(arbitraryPlan, (plan) => {
      expect(keyOf(numberedPlan(plan))).toBe(keyOf(plan));
    }),
    { numRuns: runs() },
  );
});

test("each numbered parameter has the place of its value", () => {
  fc.assert(
    fc.property(arbitraryPlan, (plan) => {
      const values: number[] = [];
      planKey(plan, values as never[]);
      const places: number[] = [];
      planKey(numberedPlan(plan), places as never[]);
      expect(places).toEqual(values.map((_, at) => at));
    }),
    { numRuns: runs() },
  );
});

test("a parameter that occurs twice in a plan is two parameters of its statements", () => {
  const shared = new Parameter("x");
  const plan = [shared, shared];
  expect(keyOf(plan)).toBe(keyOf([new Parameter("x"), new Parameter("y")]));
  expect(numberedPlan(plan)).toEqual([new Parameter(0), new Parameter(1)]);
});

test.each([
  ["function", () => 1],
  ["Map", new Map()],
  ["Date", { at: new Date(0) }],
  ["symbol", [Symbol("s")]],
])("a plan cannot contain %s", (_, plan) => {
  expect(() => numberedPlan(plan)).toThrow(/a plan holds plain data and parameters only/);
});
