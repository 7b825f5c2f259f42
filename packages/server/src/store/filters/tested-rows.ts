import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { FieldColumns } from "../rows/columns.ts";
import type { RowTest } from "../dialects/row-test.ts";
import { Parameter } from "../statements/plan-key.ts";
import {
  columnsFor,
  element,
  elementsOf,
  elementType,
  elementValue,
  foldedOf,
  fullElement,
  textOf,
  valueOf,
  type RowScope,
} from "../statements/read-values.ts";
import { isTestable, rowTestOf } from "./row-test.ts";
import type { Shape, ShapeScope, TestedColumn, TestedShape } from "../statements/shapes.ts";
import { bind } from "../statements/statements.ts";

/**
 * Minimum number of conditions that a function tests, because the engine would plan and compare each one. If
 * the engine cannot call the function, it sends the values of all rows, which only pays off for more
 * conditions.
 */
const many = { called: 32, sent: 100 };
/** Maximum number of conditions on single fields that stay, so that a page can start from one of them. */
const mostStarts = 8;

/** The conditions that each test replaces. */
const testedShapes = new WeakMap<RowTest, Shape>();

export const conditionsOfTest = ({ test }: TestedShape): Shape =>
  testedShapes.get(test.value) ?? { kind: "none" };

/**
 * Replaces many conditions by a function. The first conditions on single fields stay, because an index may
 * serve them.
 */
export function tested(conditions: readonly Shape[], scope: ShapeScope): readonly Shape[] {
  let starts = 0;
  const remaining: Shape[] = [];
  const others: Shape[] = [];
  for (const condition of conditions) {
    const single = "field" in condition && condition.kind !== "elements";
    if (single) starts += 1;
    (single && starts <= mostStarts ? remaining : others).push(condition);
  }
  return [...remaining, ...testedOperands("and", others, scope)];
}

function testedOperands(
  kind: "and" | "or",
  operands: readonly Shape[],
  scope: ShapeScope,
): readonly Shape[] {
  const testable = operands.filter(isTestable);
  const others = operands.filter((each) => !testable.includes(each));
  const rest = others.map((each) => withTests(each, scope));
  const least = scope.dialect.test === null ? many.sent : many.called;
  if (testable.reduce((sum, each) => sum + sizeOf(each), 0) < least) return [...testable, ...rest];
  return [testOf({ kind, operands: testable }, scope), ...rest];
}

function withTests(shape: Shape, scope: ShapeScope): Shape {
  switch (shape.kind) {
    case "and":
    case "or":
      return { kind: shape.kind, operands: testedOperands(shape.kind, shape.operands, scope) };
    case "not":
      return { kind: "not", operand: withTests(shape.operand, scope) };
    default:
      return shape;
  }
}

/** Counts the conditions of a shape. */
function sizeOf(shape: Shape): number {
  switch (shape.kind) {
    case "and":
    case "or":
      return shape.operands.reduce((sum, each) => sum + sizeOf(each), 0);
    case "elements":
      return shape.of.length;
    case "not":
      return sizeOf(shape.operand);
    default:
      return 1;
  }
}

function testOf(shape: Shape, { layout }: ShapeScope): TestedShape {
  const isArray = (field: string) => layout.fields.get(field)?.field.array === true;
  const { columns, test } = rowTestOf(shape, isArray);
  testedShapes.set(test, shape);
  return { kind: "tested", columns, test: new Parameter(test) };
}

/** Calls the function with the values of a row. */
export function whereOfTested(
  { columns, test }: TestedShape,
  scope: RowScope,
): RawBuilder<SqlBool> {
  const { engine, test: call } = scope.dialect;
  if (call === null) throw new RangeError(`${engine} calls no functions`);
  return call(bind(test), testedValues(columns, scope));
}

/** The values of the row `t` that a test gets. */
export function testedValues(
  testedColumns: readonly TestedColumn[],
  scope: RowScope,
): readonly RawBuilder<unknown>[] {
  return testedColumns.map(({ field, of }) => {
    const columns = columnsFor(field, scope);
    if (columns.field.array !== true) return valueIn(columns, of, scope);
    const list = scope.dialect.list(elementOf(columns, of), elementType(columns));
    return sql`(select ${list} from ${elementsOf(columns, scope)})`;
  });
}

function valueIn(
  columns: FieldColumns,
  of: TestedColumn["of"],
  scope: RowScope,
): RawBuilder<unknown> {
  if (of === "fold") return foldedOf(columns, scope);
  return of === "text" ? textOf(columns, scope) : valueOf(columns, scope);
}

function elementOf(columns: FieldColumns, of: TestedColumn["of"]): RawBuilder<unknown> {
  switch (of) {
    case "value":
      return elementValue(columns, false);
    case "full":
      return columns.field.type === "string" ? fullElement : elementValue(columns, false);
    case "fold":
      return elementValue(columns, true);
    case "text":
      return sql`coalesce(${element("text")}, ${elementValue(columns, true)})`;
  }
}
