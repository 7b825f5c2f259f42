import type { Predicate, Scalar } from "@security-platform/fql";
import { shapeOfLeaf } from "./leaf-shape.ts";
import {
  isFieldShape,
  type ElementsShape,
  type FieldShape,
  type Shape,
  type ShapeScope,
} from "../statements/shapes.ts";

const all: Shape = { kind: "all" };
const none: Shape = { kind: "none" };

export function shapeOf(predicate: Predicate, scope: ShapeScope): Shape {
  switch (predicate.kind) {
    case "everything":
      return all;
    case "nothing":
      return none;
    case "and":
      return allOf(predicate.operands.map((operand) => shapeOf(operand, scope)));
    case "or":
      return anyOf(predicate.operands.map((operand) => shapeOf(operand, scope)));
    case "not":
      return not(shapeOf(predicate.operand, scope));
    default:
      return shapeOfLeaf(predicate, scope);
  }
}

/** All conditions hold. Those of an "and" become a part of this one. Negations come last. */
export function allOf(conditions: readonly Shape[]): Shape {
  const excluded: Shape[] = [];
  const required: Shape[] = [];
  for (const each of conditions.flatMap(conjuncts)) {
    if (each.kind === "none") return none;
    if (each.kind === "not") excluded.push(each.operand);
    else required.push(each);
  }
  // "Not a and not b" is "not (a or b)".
  const operands = [...joinLimits(required), ...joinAlternatives(excluded).map(not)];
  return operands.length > 1 ? { kind: "and", operands } : (operands[0] ?? all);
}

/** At least one alternative holds. */
export function anyOf(alternatives: readonly Shape[]): Shape {
  if (alternatives.some(({ kind }) => kind === "all")) return all;
  const operands = joinAlternatives(alternatives.filter(({ kind }) => kind !== "none"));
  return operands.length > 1 ? { kind: "or", operands } : (operands[0] ?? none);
}

function not(operand: Shape): Shape {
  if (operand.kind === "all") return none;
  return operand.kind === "none" ? all : { kind: "not", operand };
}

/** The conditions that must all be true. */
export function conjuncts(shape: Shape): readonly Shape[] {
  if (shape.kind === "all") return [];
  return shape.kind === "and" ? shape.operands : [shape];
}

/**
 * Joins alternatives on one field. Those that name values, such as `value:'a',value:'b'`, become one list: the
 * engine looks the value of a row up in it instead of comparing it with each value. Those on an array become
 * one condition that reads the elements of a row once.
 */
function joinAlternatives(alternatives: readonly Shape[]): readonly Shape[] {
  if (alternatives.length < 2) return alternatives;
  const others = alternatives.filter((each) => !isFieldShape(each));
  const fields = Map.groupBy(alternatives.filter(isFieldShape), ({ columns }) => columns);
  const joined = [...fields].flatMap(([columns, group]): readonly Shape[] => {
    const of = mergeEqualities(group);
    return columns.field.array === true && of.length > 1
      ? [{ kind: "elements", columns, of } satisfies ElementsShape]
      : of;
  });
  return [...others, ...joined];
}

type ValuesShape = Extract<FieldShape, { kind: "equal" | "any-of" }>;

function mergeEqualities(shapes: readonly FieldShape[]): readonly FieldShape[] {
  const others = shapes.filter((each) => !isEquality(each));
  const lists = Map.groupBy(shapes.filter(isEquality), ({ fold = false }) => fold);
  return [...others, ...[...lists.values()].map(mergeValues)];
}

const isEquality = (shape: FieldShape): shape is ValuesShape =>
  shape.kind === "equal" || shape.kind === "any-of";

function mergeValues(shapes: readonly ValuesShape[]): ValuesShape {
  const [first] = shapes as readonly [ValuesShape, ...ValuesShape[]];
  if (shapes.length === 1) return first;
  const { columns, fold = false } = first;
  const values = new Set(shapes.flatMap(valuesOf));
  return { kind: "any-of", columns, fold, values: [...values] };
}

const valuesOf = (shape: ValuesShape): readonly Scalar[] =>
  shape.kind === "equal" ? [shape.value] : shape.values;

type Limit = Extract<FieldShape, { kind: "compare" }>;

/** Joins a lower and an upper limit of one field, so that the matches between them can be counted and found at once. */
function joinLimits(conditions: readonly Shape[]): readonly Shape[] {
  const joined: Shape[] = [];
  for (const each of conditions) {
    const at = isLimit(each)
      ? joined.findIndex((one) => isLimit(one) && isOpposite(one, each))
      : -1;
    if (at < 0) joined.push(each);
    else joined[at] = between(joined[at] as Limit, each as Limit);
  }
  return joined;
}

/** For an array, two different elements may satisfy the conditions. */
const isLimit = (shape: Shape): shape is Limit =>
  shape.kind === "compare" && shape.columns.field.array !== true;

const isLower = ({ operator }: Limit): boolean => operator.startsWith(">");

const isOpposite = (one: Limit, other: Limit): boolean =>
  one.columns === other.columns && isLower(one) !== isLower(other);

function between(one: Limit, other: Limit): Shape {
  const [lower, upper] = isLower(one) ? [one, other] : [other, one];
  return {
    kind: "range",
    columns: one.columns,
    from: lower.value,
    to: upper.value,
    closed: upper.operator === "<=",
    ...(lower.operator === ">" ? { above: true } : {}),
  };
}
