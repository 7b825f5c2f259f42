import { evaluate, foldCase, type Leaf, type Predicate, type Scalar } from "@security-platform/fql";
import type { FieldColumns } from "../rows/columns.ts";
import { joinAlternatives, joinExclusions, joinLimits } from "./lists.ts";
import { elementKey, isLong, prefixKey } from "../rows/element-key.ts";
import type { Shape, ShapeScope, TrigramShape, Value } from "../statements/shapes.ts";
import { storedText } from "../rows/stored-text.ts";
import { partConditions, wordsConditions } from "../words/words.ts";

const all: Shape = { kind: "all" };
const none: Shape = { kind: "none" };

export function shapeOf(predicate: Predicate, scope: ShapeScope): Shape {
  switch (predicate.kind) {
    case "everything":
      return all;
    case "nothing":
      return none;
    case "and":
    case "or": {
      const shapes: Shape[] = [];
      for (const operand of predicate.operands) shapes.push(shapeOf(operand, scope));
      return predicate.kind === "and"
        ? conjunction(joinLimits(joinExclusions(shapes, scope), scope))
        : disjunction(joinAlternatives(shapes, scope));
    }
    case "not": {
      const operand = shapeOf(predicate.operand, scope);
      if (operand.kind === "all") return none;
      return operand.kind === "none" ? all : { kind: "not", operand };
    }
    default:
      return shapeOfLeaf(predicate, scope);
  }
}

export function conjunction(operands: readonly Shape[]): Shape {
  const needed: Shape[] = [];
  for (const operand of operands) {
    if (operand.kind === "none") return none;
    if (operand.kind !== "all") needed.push(operand);
  }
  return needed.length > 1 ? { kind: "and", operands: needed } : (needed[0] ?? all);
}

export function disjunction(operands: readonly Shape[]): Shape {
  const possible: Shape[] = [];
  for (const operand of operands) {
    if (operand.kind === "all") return all;
    if (operand.kind !== "none") possible.push(operand);
  }
  return possible.length > 1 ? { kind: "or", operands: possible } : (possible[0] ?? none);
}

/** The conditions that must all be true. */
export function conjuncts(shape: Shape): readonly Shape[] {
  if (shape.kind === "all") return [];
  return shape.kind === "and" ? shape.operands.flatMap(conjuncts) : [shape];
}

function shapeOfLeaf(leaf: Leaf, scope: ShapeScope): Shape {
  const { layout } = scope;
  const columns = layout.fields.get(leaf.field);
  if (columns === undefined) throw new RangeError(`${layout.table} has no field ${leaf.field}`);
  const { values } = columns.field;
  // Fields with listed values have no folded text, because the matching values are known in advance.
  const isFolded = "fold" in leaf && leaf.fold;
  const hasColumn = leaf.kind === "text" ? columns.text : !isFolded || columns.fold;
  if (values !== undefined && !hasColumn) {
    const matching = values.filter((value) => matchesValue(leaf, value));
    return matching.length === 0 ? none : { kind: "any-of", field: leaf.field, values: matching };
  }
  return columnShape(leaf, columns, scope);
}

function matchesValue(leaf: Leaf, value: Scalar): boolean {
  return evaluate({ ...leaf, field: "value" }, { value }, { value: { type: "string" } });
}

function columnShape(leaf: Leaf, columns: FieldColumns, scope: ShapeScope): Shape {
  const { dialect, layout } = scope;
  const { field } = leaf;
  const range = (from: Scalar, to: Scalar, closed: boolean): Shape => ({
    kind: "range",
    field,
    from: storedValue(from, columns),
    to: storedValue(to, columns),
    closed,
  });
  switch (leaf.kind) {
    case "present":
      return { kind: "present", field };
    case "equal":
      return {
        kind: "equal",
        field,
        fold: leaf.fold,
        value: leaf.fold ? storedValue(leaf.value, columns) : indexedValue(leaf.value, columns),
        ...(leaf.fold && columns.field.array === true && !isLong(String(leaf.value))
          ? { short: true }
          : {}),
      };
    case "any-of":
      return {
        kind: "any-of",
        field,
        values: leaf.values.map((value) => indexedValue(value, columns)),
      };
    case "compare":
      return {
        kind: "compare",
        field,
        operator: leaf.operator,
        value: storedValue(leaf.value, columns),
      };
    case "between":
      return range(leaf.from, leaf.to, false);
    case "cidr":
      return range(leaf.low, leaf.high, true);
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
        ...(decided ? {} : trigramsOf(leaf, scope)),
      };
    }
  }
}

/** Number of characters from which the start of a text is rare enough to find it by. */
const usefulStart = 3;

/** Three characters that form a trigram in any locale of a database. */
const threeInARow = /[a-z0-9]{3}/i;

/**
 * The part of a shape for an index of trigrams, if there is one and it narrows the search. The index has folded texts:
 * those that match a pattern, match its folded form when they are folded.
 */
function trigramsOf(
  { field, fold, parts }: Extract<Leaf, { kind: "glob" }>,
  { dialect, trigrams }: ShapeScope,
): { readonly trigrams?: TrigramShape } {
  const index = trigrams?.get(field);
  // The index of the field's order finds the start of a text with less work.
  const hasStart = (parts[0] ?? "").length >= usefulStart;
  if (index === undefined || hasStart) return {};
  if (!parts.some((part) => threeInARow.test(part))) return {};
  const pattern = (texts: readonly string[]) => dialect.globPattern(texts.map(storedText));
  const folded = pattern(parts.map(foldCase));
  return { trigrams: { index, folded, exact: fold ? null : pattern(parts) } };
}

/** A value in the form of the field's column, or of the values table. */
function storedValue(value: Scalar, { type, field }: FieldColumns): Value {
  if (typeof value === "string") return storedText(value);
  return field.array === true && type === "boolean" ? String(value) : value;
}

/** A value in the form of the index, which holds the start of a long element. Folded elements are there in full. */
function indexedValue(value: Scalar, columns: FieldColumns): Value {
  const full = storedValue(value, columns);
  return columns.field.array === true && typeof full === "string" ? elementKey(full) : full;
}

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
