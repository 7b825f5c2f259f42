import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arbitraryFields,
  arbitraryFilter,
  arbitraryNow,
  arbitraryRecord,
  arbitraryText,
  arbitraryTree,
  runs,
} from "../src/arbitraries/index.ts";
import {
  checkFilter,
  compareCodePoints,
  foldCase,
  FqlSyntaxError,
  lowerFilter,
  conditionsOf,
  matches,
  parseFilter,
  printFilter,
  type Condition,
  type Filter,
  type List,
  type Literal,
  type OrderOperator,
  type StringLiteral,
} from "../src/index.ts";

const parameters = { numRuns: runs(400) };

const name = /^[A-Za-z_][A-Za-z0-9_]{0,4}(\.[A-Za-z_][A-Za-z0-9_]{0,4}){0,2}$/;
const common = {
  kind: fc.constant("condition" as const),
  property: fc.stringMatching(name),
  negated: fc.boolean(),
};
const anyString: fc.Arbitrary<StringLiteral> = fc.record({
  kind: fc.constant("string"),
  value: fc.string({ unit: "binary" }),
});
const anyLiteral: fc.Arbitrary<Literal> = fc.oneof(
  anyString,
  fc.record({ kind: fc.constant("number"), text: fc.stringMatching(/^-?[0-9]+(\.[0-9]+)?$/) }),
  fc.record({ kind: fc.constant("boolean"), value: fc.boolean() }),
  fc.constant<Literal>({ kind: "null" }),
);
const anyList: fc.Arbitrary<List> = fc
  .tuple(anyLiteral, fc.array(anyLiteral, { maxLength: 3 }))
  .map(([first, rest]) => ({ kind: "list", items: [first, ...rest] }));

/** Any condition that the syntax can express, whether or not it is valid for the fields. */
const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    ...common,
    operator: fc.constantFrom("=", "~"),
    value: fc.oneof(anyLiteral, anyList),
  }),
  fc.record({
    ...common,
    operator: fc.constantFrom("*", "~*"),
    value: fc.oneof(anyString, anyList),
  }),
  fc.record({
    ...common,
    operator: fc.constantFrom<OrderOperator[]>("<", "<=", ">", ">="),
    negated: fc.constant(false),
    value: anyLiteral,
  }),
);

const fieldsAndFilter = arbitraryFields().chain((fields) =>
  fc.record({ fields: fc.constant(fields), filter: arbitraryFilter(fields) }),
);

const fieldsFilterRecord = arbitraryFields().chain((fields) =>
  fc.record({
    fields: fc.constant(fields),
    filter: arbitraryFilter(fields),
    record: arbitraryRecord(fields),
  }),
);

/** The result of parsing or building, or null for an `FqlSyntaxError`. Any other error is a defect. */
function attempt<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FqlSyntaxError) return null;
    throw error;
  }
}

describe("parseFilter and printFilter", () => {
  test("read back every printed filter", () => {
    fc.assert(
      fc.property(arbitraryTree(anyCondition), (filter) => {
        expect(parseFilter(printFilter(filter), { properties: Infinity })).toEqual(filter);
      }),
      parameters,
    );
  });

  test("accept or reject any text, and print accepted texts in canonical form", () => {
    const pieces = fc.constantFrom(..."ab:+,()[]'\"!~*<>=1.- \t\\", "a:'x'", "null", "TRUE", "a:*");
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 20 }), (text) => {
        const filter = attempt(() => parseFilter(text));
        if (filter === null) return;
        const canonical = printFilter(filter);
        expect(parseFilter(canonical)).toEqual(filter);
        expect(printFilter(parseFilter(canonical))).toBe(canonical);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe("checkFilter", () => {
  test("reports nothing for a filter generated for the fields", () => {
    fc.assert(
      fc.property(fieldsAndFilter, ({ fields, filter }) => {
        expect(checkFilter(filter, fields)).toEqual([]);
      }),
      parameters,
    );
  });

  test("reports issues for exactly the filters that lowerFilter rejects", () => {
    const twoTables = fc.tuple(fieldsAndFilter, arbitraryFields());
    fc.assert(
      fc.property(twoTables, ([{ filter }, otherFields]) => {
        const issues = checkFilter(filter, otherFields);
        const lowered = attempt(() => lowerFilter(filter, otherFields, arbitraryNow));
        expect(lowered === null).toBe(issues.length > 0);
      }),
      parameters,
    );
  });
});

describe("matches", () => {
  test("returns equal results for a filter and its printed and parsed form", () => {
    fc.assert(
      fc.property(fieldsFilterRecord, ({ fields, filter, record }) => {
        const again = parseFilter(printFilter(filter));
        expect(matches(again, record, fields, arbitraryNow)).toBe(
          matches(filter, record, fields, arbitraryNow),
        );
      }),
      parameters,
    );
  });

  test("makes :! the exact complement", () => {
    fc.assert(
      fc.property(fieldsFilterRecord, ({ fields, filter, record }) => {
        for (const condition of conditionsOf(filter)) {
          const complement = complementOf(condition);
          if (complement === null) continue;
          expect(matches(complement, record, fields, arbitraryNow)).toBe(
            !matches(condition, record, fields, arbitraryNow),
          );
        }
      }),
      parameters,
    );
  });

  test("makes + and , behave as and and or", () => {
    fc.assert(
      fc.property(fieldsFilterRecord, ({ fields, filter, record }) => {
        expect(matches(filter, record, fields, arbitraryNow)).toBe(
          answer(filter, (condition) => matches(condition, record, fields, arbitraryNow)),
        );
      }),
      parameters,
    );
  });

  test("returns both true and false often enough to make these properties meaningful", () => {
    const sample = fc.sample(fieldsFilterRecord, { numRuns: 1_000, seed: 7 });
    const matching = sample.filter(({ fields, filter, record }) =>
      matches(filter, record, fields, arbitraryNow),
    );
    expect(matching.length).toBeGreaterThan(200);
    expect(matching.length).toBeLessThan(800);
  });
});

describe("text", () => {
  test("folds a text like the concatenation of its parts", () => {
    const piece = fc.oneof(arbitraryText, fc.string({ unit: "binary" }));
    const pieces = fc.tuple(piece, piece);
    fc.assert(
      fc.property(pieces, ([left, right]) => {
        expect(foldCase(left + right)).toBe(foldCase(left) + foldCase(right));
      }),
      parameters,
    );
  });

  test("orders texts like their UTF-8 bytes", () => {
    const text = fc.oneof(arbitraryText, fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareCodePoints(left, right))).toBe(bytes);
      }),
      parameters,
    );
  });
});

/** Null for an order comparison, which has no complement. */
function complementOf(condition: Condition): Condition | null {
  switch (condition.operator) {
    case "=":
    case "~":
      return { ...condition, negated: !condition.negated };
    case "*":
    case "~*":
      return { ...condition, negated: !condition.negated };
    default:
      return null;
  }
}

function answer(filter: Filter, ask: (condition: Condition) => boolean): boolean {
  switch (filter.kind) {
    case "everything":
      return true;
    case "condition":
      return ask(filter);
    case "and":
      return filter.operands.every((operand) => answer(operand, ask));
    case "or":
      return filter.operands.some((operand) => answer(operand, ask));
  }
}
