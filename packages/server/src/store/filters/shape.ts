import { evaluate, type Leaf, type Predicate, type Scalar } from "@security-platform/fql";
import type { FieldColumns } from "../rows/columns.ts";
import { joinAlternatives, joinExclusions } from "./lists.ts";
import { elementKey, isLong, prefixKey } from "../rows/element-key.ts";
import type { Shape, ShapeScope, Value } from "../statements/shapes.ts";
import { storedText } from "../rows/stored-text.ts";
import { partConditions, wordsConditions } from "../words/words.ts";

export type { LeafShape, Shape, ShapeScope } from "../statements/shapes.ts";

export const all: Shape = { kind: "all" };
export const none: Shape = { kind: "none" };

export function shapeOf(predicate: Predicate, scope: ShapeScope): Shape {
  switch (predicate.kind) {
    case "everything":
      return all;
    case "nothing":
      return none;
    case "and":
      return both(joinExclusions(shapesOf(predicate.operands, scope), scope));
    case "or":
      return either(joinAlternatives(shapesOf(predicate.operands, scope), scope));
    case "not":
      return negation(shapeOf(predicate.operand, scope));
    default:
      return shapeOfLeaf(predicate, scope);
  }
}

const shapesOf = (predicates: readonly Predicate[], scope: ShapeScope): readonly Shape[] =>
  predicates.map((predicate) => shapeOf(predicate, scope));

export function both(operands: readonly Shape[]): Shape {
  const needed = operands.filter(({ kind }) => kind !== "all");
  if (needed.some(({ kind }) => kind === "none")) return none;
  return joined("and", needed) ?? all;
}

export function either(operands: readonly Shape[]): Shape {
  const possible = operands.filter(({ kind }) => kind !== "none");
  if (possible.some(({ kind }) => kind === "all")) return all;
  return joined("or", possible) ?? none;
}

/** The conditions that must all be true. */
export function conjuncts(shape: Shape): readonly Shape[] {
  if (shape.kind === "all") return [];
  return shape.kind === "and" ? shape.operands.flatMap(conjuncts) : [shape];
}

function joined(kind: "and" | "or", operands: readonly Shape[]): Shape | undefined {
  return operands.length > 1 ? { kind, operands } : operands[0];
}

function negation(operand: Shape): Shape {
  if (operand.kind === "all") return none;
  return operand.kind === "none" ? all : { kind: "not", operand };
}

function shapeOfLeaf(leaf: Leaf, scope: ShapeScope): Shape {
  const { layout } = scope;
  const columns = layout.fields.get(leaf.field);
  if (columns === undefined) throw new RangeError(`${layout.table} has no field ${leaf.field}`);
  const { values } = columns.field;
  if (values !== undefined && !hasColumnFor(leaf, columns)) {
    const matching = values.filter((value) => holdsOf(leaf, value));
    return matching.length === 0 ? none : { kind: "any-of", field: leaf.field, values: matching };
  }
  return columnShape(leaf, columns, scope);
}

/** Fields with listed values have no folded text, because the matching values are known in advance. */
function hasColumnFor(leaf: Leaf, { fold, text }: FieldColumns): boolean {
  if (leaf.kind === "text") return text;
  return !("fold" in leaf) || !leaf.fold || fold;
}

function holdsOf(leaf: Leaf, value: Scalar): boolean {
  return evaluate({ ...leaf, field: "value" }, { value }, { value: { type: "string" } });
}

function columnShape(leaf: Leaf, columns: FieldColumns, { dialect, layout }: ShapeScope): Shape {
  const { field } = leaf;
  const stored = (value: Scalar) => bindable(value, columns);
  // The folded text of an element is stored in full.
  const key = (value: Scalar, folded: boolean) =>
    folded ? stored(value) : keyOf(stored(value), columns);
  switch (leaf.kind) {
    case "present":
      return { kind: "present", field };
    case "equal":
      return {
        kind: "equal",
        field,
        fold: leaf.fold,
        value: key(leaf.value, leaf.fold),
        ...(leaf.fold && columns.field.array === true && !isLong(String(leaf.value))
          ? { short: true }
          : {}),
      };
    case "any-of":
      return { kind: "any-of", field, values: leaf.values.map((value) => key(value, false)) };
    case "compare":
      return { kind: "compare", field, operator: leaf.operator, value: stored(leaf.value) };
    case "between":
      return {
        kind: "range",
        field,
        from: stored(leaf.from),
        to: stored(leaf.to),
        closed: false,
      };
    case "cidr":
      return {
        kind: "range",
        field,
        from: stored(leaf.low),
        to: stored(leaf.high),
        closed: true,
      };
    case "text": {
      if (layout.resource.words !== field) {
        return { kind: "text", field, needle: storedText(leaf.needle) };
      }
      return { kind: "words", field, ...partConditions(leaf.needle, leaf.words, dialect) };
    }
    case "words":
      return { kind: "words", field, ...wordsConditions(leaf.words, leaf.phrases, dialect) };
    case "glob": {
      const parts = leaf.parts.map(storedText);
      const [start = ""] = parts;
      const prefix = columns.field.array === true && !leaf.fold ? prefixKey(start) : start;
      const end = prefix === "" ? null : successor(prefix);
      const decided = end !== null && prefix === start && parts.length === 2 && parts[1] === "";
      return {
        kind: "glob",
        field,
        fold: leaf.fold,
        range: end === null ? null : { from: prefix, to: end },
        pattern: decided ? null : dialect.globPattern(parts),
      };
    }
  }
}

/** A value in the form of the field's column, or of the values table. */
function bindable(value: Scalar, { type, field }: FieldColumns): Value {
  if (typeof value === "string") return storedText(value);
  return field.array === true && type === "boolean" ? String(value) : value;
}

/** The form of a value in the index of elements. */
const keyOf = (value: Value, { field }: FieldColumns): Value =>
  field.array === true && typeof value === "string" ? elementKey(value) : value;

/** The first text after all texts with the prefix. Null if there is none. */
function successor(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10_ffff) continue;
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return null;
}
