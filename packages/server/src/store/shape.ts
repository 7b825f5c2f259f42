import {
  evaluate,
  type Leaf,
  type OrderOperator,
  type Predicate,
  type Scalar,
} from "@security-platform/fql";
import type { FieldColumns, Layout } from "./columns.ts";
import type { Bindable, Dialect } from "./dialects/dialect.ts";
import { Parameter } from "./plan-key.ts";
import { storedText } from "./stored-text.ts";

/** A predicate in a plan: plain data whose values are parameters. */
export type Shape =
  | { readonly kind: "all" | "none" }
  /** For resources with soft deletion: records that are not deleted, deleted ones that are readable, or both. */
  | { readonly kind: "live" | "deleted" | "readable" }
  /**
   * Of a platform record: the tenant `cid` has none of the same id or unique key, in the state after the
   * write `snapshot`; null: in the latest state.
   */
  | {
      readonly kind: "not-replaced";
      readonly cid: Parameter<string>;
      readonly snapshot: Parameter<number> | null;
    }
  | { readonly kind: "and" | "or"; readonly operands: readonly Shape[] }
  | { readonly kind: "not"; readonly operand: Shape }
  | LeafShape;

export type LeafShape = { readonly field: string } & (
  | { readonly kind: "present" }
  | { readonly kind: "equal"; readonly fold: boolean; readonly value: Parameter }
  | { readonly kind: "any-of"; readonly values: Parameter }
  | { readonly kind: "compare"; readonly operator: OrderOperator; readonly value: Parameter }
  | {
      readonly kind: "range";
      readonly from: Parameter;
      readonly to: Parameter;
      readonly closed: boolean;
    }
  | {
      readonly kind: "glob";
      readonly fold: boolean;
      /** Texts with the prefix of the pattern are in `from <= x < to`. */
      readonly from: Parameter | null;
      readonly to: Parameter | null;
      /** Null if the range is exact. */
      readonly pattern: Parameter | null;
    }
  | { readonly kind: "text"; readonly needle: Parameter }
  /** In the form of the engine's query language. */
  | { readonly kind: "words"; readonly words: Parameter<string> }
);

export interface ShapeScope {
  readonly layout: Layout;
  readonly dialect: Dialect;
}

export const all: Shape = { kind: "all" };
export const none: Shape = { kind: "none" };

export function shapeOf(predicate: Predicate, scope: ShapeScope): Shape {
  switch (predicate.kind) {
    case "everything":
      return all;
    case "nothing":
      return none;
    case "and":
      return both(predicate.operands.map((operand) => shapeOf(operand, scope)));
    case "or":
      return either(predicate.operands.map((operand) => shapeOf(operand, scope)));
    case "not":
      return negation(shapeOf(predicate.operand, scope));
    default:
      return shapeOfLeaf(predicate, scope);
  }
}

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

/** The conditions of which all must be true. */
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
    return matching.length === 0
      ? none
      : { kind: "any-of", field: leaf.field, values: new Parameter(matching) };
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

function columnShape(leaf: Leaf, columns: FieldColumns, { dialect }: ShapeScope): Shape {
  const { field } = leaf;
  const parameter = (value: Scalar) => new Parameter(bindable(value, columns));
  switch (leaf.kind) {
    case "present":
      return { kind: "present", field };
    case "equal":
      return { kind: "equal", field, fold: leaf.fold, value: parameter(leaf.value) };
    case "any-of": {
      const values = leaf.values.map((value) => bindable(value, columns));
      return { kind: "any-of", field, values: new Parameter(values) };
    }
    case "compare":
      return { kind: "compare", field, operator: leaf.operator, value: parameter(leaf.value) };
    case "between":
      return {
        kind: "range",
        field,
        from: parameter(leaf.from),
        to: parameter(leaf.to),
        closed: false,
      };
    case "cidr":
      return {
        kind: "range",
        field,
        from: parameter(leaf.low),
        to: parameter(leaf.high),
        closed: true,
      };
    case "text":
      return { kind: "text", field, needle: parameter(leaf.needle) };
    case "words":
      return { kind: "words", field, words: new Parameter(dialect.wordsQuery(leaf.words)) };
    case "glob": {
      const parts = leaf.parts.map(storedText);
      const prefix = parts[0] ?? "";
      const end = prefix === "" ? null : successor(prefix);
      const ranged = end !== null && parts.length === 2 && parts[1] === "";
      return {
        kind: "glob",
        field,
        fold: leaf.fold,
        from: end === null ? null : new Parameter(prefix),
        to: end === null ? null : new Parameter(end),
        pattern: ranged ? null : new Parameter(dialect.globPattern(parts)),
      };
    }
  }
}

/** A value in the form of the field's column, or of its row in the values table. */
export function bindable(
  value: Scalar,
  { type, field }: FieldColumns,
): Exclude<Bindable, readonly unknown[] | null> {
  if (typeof value === "string") return storedText(value);
  return field.array === true && type === "boolean" ? String(value) : value;
}

/** The first text after all texts with the prefix; null if there is none. */
function successor(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10_ffff) continue;
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return null;
}
