import * as fc from "fast-check";
import type { Arbitrary } from "fast-check";
import {
  and,
  or,
  type Condition,
  type Filter,
  type List,
  type Literal,
  type OrderOperator,
  type StringLiteral,
} from "../language/ast.ts";
import { isFilterable } from "../meaning/find-field.ts";
import type { Field, Fields, FieldType } from "../meaning/fields.ts";
import { textKey } from "../values/text.ts";
import { arbitraryText, arbitraryValue } from "./values.ts";

const stringOf = (value: string): StringLiteral => ({ kind: "string", value });
const nullLiteral: Arbitrary<Literal> = fc.constant({ kind: "null" });
const emptyString: Arbitrary<Literal> = fc.constant(stringOf(""));

/** A filter for which `checkFilter` reports no issue. */
export function arbitraryFilter(fields: Fields): Arbitrary<Filter> {
  const conditions = Object.entries(fields)
    .filter(([, field]) => isFilterable(field))
    .map(([name, field]) => arbitraryCondition(name, field));
  return arbitraryTree(fc.oneof(...conditions));
}

/** Conditions joined by `+` and `,`; sometimes the empty filter. */
export function arbitraryTree(condition: Arbitrary<Filter>): Arbitrary<Filter> {
  const { tree } = fc.letrec<{ tree: Filter }>((tie) => {
    const operands = fc.array(tie("tree"), { minLength: 2, maxLength: 4, size: "small" });
    return {
      tree: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        { arbitrary: condition, weight: 4 },
        { arbitrary: operands.map(and), weight: 1 },
        { arbitrary: operands.map(or), weight: 1 },
      ),
    };
  });
  return fc.oneof({ arbitrary: tree, weight: 30 }, { arbitrary: fc.constant(and([])), weight: 1 });
}

/** A condition for each operator that the field's type supports, with valid values. */
function arbitraryCondition(name: string, field: Field): Arbitrary<Condition> {
  const common = {
    kind: fc.constant("condition" as const),
    property: fc.constantFrom(name, name.toUpperCase()),
    negated: fc.boolean(),
  };
  const value = arbitraryLiteral(field);
  const listed = listOf(fc.oneof({ arbitrary: value, weight: 8 }, nullLiteral));
  const equality = fc.oneof(value, nullLiteral, emptyString, listed);
  const present = fc.constant(stringOf("*"));
  const conditions: Arbitrary<Condition>[] = [
    fc.record({ ...common, operator: fc.constant("="), value: equality }),
    fc.record({ ...common, operator: fc.constant("*"), value: present }),
  ];
  if (field.type === "string") {
    const pattern = arbitraryText.map(stringOf);
    const needle = arbitraryText.filter((text) => textKey(text) !== "").map(stringOf);
    const patterns = fc.oneof(pattern, listOf(pattern));
    conditions.push(
      fc.record({ ...common, operator: fc.constantFrom("*", "~*"), value: patterns }),
      fc.record({
        ...common,
        operator: fc.constant("~"),
        value: fc.oneof(needle, listOf(needle)),
      }),
    );
  }
  if (field.type !== "boolean" && field.type !== "ip") {
    const operator = fc.constantFrom<OrderOperator[]>("<", "<=", ">", ">=");
    conditions.push(fc.record({ ...common, operator, negated: fc.constant(false), value }));
  }
  return fc.oneof(...conditions);
}

function listOf(item: Arbitrary<Literal>): Arbitrary<List> {
  return fc
    .tuple(item, fc.array(item, { maxLength: 2 }))
    .map(([first, rest]) => ({ kind: "list", items: [first, ...rest] }));
}

/**
 * A valid literal for the field: a value in the format of records, or another spelling that the type
 * accepts.
 */
function arbitraryLiteral(field: Field): Arbitrary<Literal> {
  const stored = arbitraryValue(field).map(literalOf);
  const spellings = literalsByType[field.type];
  return field.values !== undefined || spellings.length === 0
    ? stored
    : fc.oneof(stored, fc.constantFrom(...spellings));
}

function literalOf(value: string | number | boolean): Literal {
  if (typeof value === "number") return { kind: "number", text: String(value) };
  return typeof value === "boolean" ? { kind: "boolean", value } : stringOf(value);
}

const literalsByType: Readonly<Record<FieldType, readonly Literal[]>> = {
  string: [{ kind: "number", text: "50" }],
  number: [stringOf("50"), { kind: "number", text: "1.50" }],
  boolean: [stringOf("True"), stringOf("false")],
  timestamp: [
    "2024-03-31",
    "2024-02-29",
    "2024-03-31T12:00",
    "2024-03-31T12:00:00",
    "2024-03-31T12:00:00.0",
    "now",
    "now-7d",
    "now-1M",
    "now+1s",
    "last 7 days",
    "last 1 year",
  ].map(stringOf),
  ip: ["10.0.0.0/24", "0.0.0.0/0", "10.0.0.1/32", "2001:db8::/32", "::/0"].map(stringOf),
};
