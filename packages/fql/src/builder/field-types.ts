import type { Filter } from "../language/ast.ts";
import type { Field, Fields, FieldType } from "../meaning/fields.ts";

type Amount = `${bigint}`;
type Digits = `${number}`;

/** RFC 3339 or a date. Only the shape is checked, so 30 February compiles. */
export type AbsoluteTime =
  `${Digits}-${Digits}-${Digits}` | `${Digits}-${Digits}-${Digits}T${string}`;

/** `now`, `now-7d` (units `s m h d w M y`), `last 7 days`. */
export type RelativeTime =
  | "now"
  | `now${"+" | "-"}${Amount}${"s" | "m" | "h" | "d" | "w" | "M" | "y"}`
  | `last ${Amount} ${"second" | "minute" | "hour" | "day" | "week" | "month" | "year"}${"" | "s"}`;

interface ValueByType {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly timestamp: Date | AbsoluteTime | RelativeTime;
  readonly ip: string;
}

/**
 * The values that conditions on a field accept: its listed values, or else the values of its type.
 */
export type ValueOf<Column extends Field> = Column extends {
  readonly type: "string";
  readonly values: readonly (infer Value)[];
}
  ? Value
  : ValueByType[Column["type"]];

/** The names of the fields that filters may use. */
export type FilterableName<Table extends Fields> = {
  [Name in keyof Table]: Table[Name] extends { readonly filterable: false } ? never : Name;
}[keyof Table] &
  string;

declare const fieldsOf: unique symbol;

/**
 * A filter over the fields of `Table`. At run time it is a plain `Filter`; the brand exists only at compile
 * time, and the compiler rejects filters on other tables. A parsed `Filter` is accepted, and checked when
 * it is used.
 */
export type FilterOf<Table extends Fields> = Filter & {
  readonly [fieldsOf]?: (fields: Table) => void;
};

/** The conditions that every field supports. `not` returns their complements. */
export interface Matching<Value, Result> {
  /**
   * Same as `:value`. Timestamps compare at the precision of the literal, and the field's `match` and
   * `case` apply.
   */
  equals(value: Value | null): Result;
  /** Exactly one of the values. Throws a `RangeError` for an empty list. */
  oneOf(values: readonly (Value | null)[]): Result;
  /** The value is not null; a list is not empty. */
  isPresent(): Result;
  /** Null, or the empty string. */
  isEmpty(): Result;
}

export interface TextMatching<Result> {
  /** Matches the whole value; `*` matches any text. */
  glob(pattern: string): Result;
  globIgnoringCase(pattern: string): Result;
  /** Contains the text; case, blanks and punctuation are ignored. */
  text(needle: string): Result;
}

export interface Ordering<Value, Result> {
  greaterThan(value: Value): Result;
  atLeast(value: Value): Result;
  lessThan(value: Value): Result;
  atMost(value: Value): Result;
}

type Complementable<Column extends Field, Result> = Matching<ValueOf<Column>, Result> &
  Supported<Column, "string", TextMatching<Result>>;

type Supported<
  Column extends Field,
  Types extends FieldType,
  Methods,
> = Column["type"] extends Types ? Methods : unknown;

/** The conditions that a field of this type supports. On a list, one matching element is enough. */
export type FieldConditions<Column extends Field, Result> = Complementable<Column, Result> &
  Supported<Column, "string" | "number" | "timestamp", Ordering<ValueOf<Column>, Result>> & {
    /** The exact complement, which includes null. */
    readonly not: Complementable<Column, Result>;
  };
