/**
 * A filter in normal form: a group contains at least two operands and no group of its own kind, and
 * `everything` occurs only at the top. `and` and `or` build it, and the types enforce it.
 *
 * Nodes are plain data. Their positions in the text are stored separately (see `source.ts`), so that
 * equivalent filters are deeply equal.
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
  /** The property as written. `checkFilter` looks up the spelling of the table. */
  readonly property: string;
}

/** `=` (not written): equal; `~`: contains the text. */
export interface Equality extends OnProperty {
  readonly operator: "=" | "~";
  readonly negated: boolean;
  readonly value: Value;
}

/** `*`: glob; `~*`: case-insensitive glob. */
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

/** `<`, `<=`, `>`, `>=`: chronological, numeric or by code point; never true for null. */
export type OrderOperator = "<" | "<=" | ">" | ">=";

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
  /** The digits as written, because a string field compares them as text. */
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

/** A filter that matches if all of `filters` match. Without filters it matches everything. */
export function and(filters: readonly Filter[]): Filter {
  const [first, second, ...rest] = filters.flatMap((filter) => {
    if (filter.kind === "everything") return [];
    return filter.kind === "and" ? filter.operands : [filter];
  });
  if (first === undefined) return everything;
  if (second === undefined) return first;
  return { kind: "and", operands: [first, second, ...rest] };
}

/**
 * A filter that matches if any of `filters` matches. Throws a `RangeError` for an empty list, because FQL
 * cannot express it.
 */
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
