import type { Filter } from "../ast.ts";
import type { Field, Fields, FieldType } from "../fields.ts";

type Amount = `${bigint}`;
type Digits = `${number}`;

/** RFC 3339 or a date; the shape only, so a 30th of February compiles. */
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

/** The values that a field's conditions take: those it lists, else those of its type. */
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
 * A filter over the fields of `Table`. It is a plain `Filter`; the mark exists for the compiler
 * alone and keeps a filter on other fields out. A parsed `Filter` passes: it is checked when used.
 */
export type FilterOf<Table extends Fields> = Filter & {
  readonly [fieldsOf]?: (fields: Table) => void;
};

/** What every field takes, and its complement through `not`. */
export interface Matching<Value, Result> {
  /** Equal as `:value` is: at a timestamp's precision, with the field's own `match` and `case`. */
  equals(value: Value | null): Result;
  /** Exactly one of the values. Throws a `RangeError` for an empty list. */
  oneOf(values: readonly (Value | null)[]): Result;
  /** Not null; a list: not empty. */
  isPresent(): Result;
  /** Null, or the empty string. */
  isEmpty(): Result;
}

export interface TextMatching<Result> {
  /** The whole value, with `*` for anything. */
  glob(pattern: string): Result;
  globIgnoringCase(pattern: string): Result;
  /** Holds the text, whatever its case, blanks and punctuation. */
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

/** The conditions that a field of this type takes; of a list: that any element meets. */
export type FieldConditions<Column extends Field, Result> = Complementable<Column, Result> &
  Supported<Column, "string" | "number" | "timestamp", Ordering<ValueOf<Column>, Result>> & {
    /** The exact complement, which null belongs to. */
    readonly not: Complementable<Column, Result>;
  };
