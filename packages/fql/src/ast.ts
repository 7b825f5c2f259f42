import type { OrderOperator } from "./predicate.ts";

/**
 * A filter in normal form: no group inside a group of its own kind, none with fewer than two
 * operands, `everything` only at the top. `and` and `or` build it; the types hold it.
 *
 * Nodes are plain data. Where they stood in the text is kept elsewhere (see `source.ts`), so filters
 * that say the same are deeply equal.
 */
export type Filter = Everything | And | Or | Condition;

/** The empty filter. */
export interface Everything {
  readonly kind: "everything";
}

export interface And {
  readonly kind: "and";
  readonly operands: TwoOrMore<Or | Condition>;
}

export interface Or {
  readonly kind: "or";
  readonly operands: TwoOrMore<And | Condition>;
}

export type Condition = Equality | Pattern | Ordering;

interface OnProperty {
  readonly kind: "condition";
  /** As written; the table's spelling is found when the filter is checked. */
  readonly property: string;
}

/** `=` (nothing is written for it): equal; `~`: holds the text. */
export interface Equality extends OnProperty {
  readonly operator: "=" | "~";
  readonly negated: boolean;
  readonly value: Value;
}

/** `*`: glob; `~*`: glob with case folded. */
export interface Pattern extends OnProperty {
  readonly operator: "*" | "~*";
  readonly negated: boolean;
  readonly value: StringLiteral | List;
}

export interface Ordering extends OnProperty {
  readonly operator: OrderOperator;
  readonly negated: false;
  readonly value: Literal;
}

export type Operator = Condition["operator"];

export type Value = Literal | List;

export interface List {
  readonly kind: "list";
  readonly items: readonly [Literal, ...Literal[]];
}

export type Literal = StringLiteral | NumberLiteral | BooleanLiteral | NullLiteral;

/** A quoted string, a bareword or a bare glob. */
export interface StringLiteral {
  readonly kind: "string";
  readonly value: string;
}

export interface NumberLiteral {
  readonly kind: "number";
  /** The digits as written: a string field compares with them. */
  readonly text: string;
}

export interface BooleanLiteral {
  readonly kind: "boolean";
  readonly value: boolean;
}

export interface NullLiteral {
  readonly kind: "null";
}

type TwoOrMore<Node> = readonly [Node, Node, ...Node[]];

export const everything: Everything = { kind: "everything" };

/** The filter that all of `filters` must match; of none: everything. */
export function and(filters: readonly Filter[]): Filter {
  const [first, second, ...rest] = filters.flatMap((filter) => {
    if (filter.kind === "everything") return [];
    return filter.kind === "and" ? filter.operands : [filter];
  });
  if (first === undefined) return everything;
  if (second === undefined) return first;
  return { kind: "and", operands: [first, second, ...rest] };
}

/** The filter that any of `filters` must match. Throws a `RangeError` for none: no text says that. */
export function or(filters: readonly Filter[]): Filter {
  if (filters.some((filter) => filter.kind === "everything")) return everything;
  const [first, second, ...rest] = filters.flatMap((filter) => {
    if (filter.kind === "everything") return [];
    return filter.kind === "or" ? filter.operands : [filter];
  });
  if (first === undefined) throw new RangeError("or() needs at least one filter");
  if (second === undefined) return first;
  return { kind: "or", operands: [first, second, ...rest] };
}
