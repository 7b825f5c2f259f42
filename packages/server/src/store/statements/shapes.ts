import type { OrderOperator } from "@security-platform/fql";
import type { Layout } from "../rows/columns.ts";
import type { Dialect, TrigramPattern, WordsCondition } from "../dialects/dialect.ts";

/** A predicate in terms of the columns, with the values in their form. */
export type Shape =
  | { readonly kind: "all" | "none" }
  /**
   * For a resource with soft deletion: not deleted (`live`), deleted but still readable (`deleted`), or
   * either (`readable`).
   */
  | { readonly kind: "live" | "deleted" | "readable" }
  /**
   * For a platform record: the tenant `cid` has no record with the same id or unique key, in the state after
   * the write `snapshot` (null: in the latest state).
   */
  | { readonly kind: "not-replaced"; readonly cid: string; readonly snapshot: number | null }
  | { readonly kind: "and" | "or"; readonly operands: readonly Shape[] }
  | { readonly kind: "not"; readonly operand: Shape }
  | ElementsShape
  | LeafShape;

/** For an array field: at least one of the conditions holds for some element. */
export interface ElementsShape {
  readonly kind: "elements";
  readonly field: string;
  readonly of: readonly FieldShape[];
}

export type Value = string | number | boolean;

/** A condition on the value of one field. */
export type FieldShape = Exclude<LeafShape, { kind: "words" }>;

export type LeafShape = { readonly field: string } & (
  | { readonly kind: "present" }
  | {
      readonly kind: "equal";
      readonly fold: boolean;
      readonly value: Value;
      /** Whether the index of an array holds the folded value in full. */
      readonly short?: true;
    }
  | { readonly kind: "any-of"; readonly fold?: boolean; readonly values: readonly Value[] }
  | { readonly kind: "compare"; readonly operator: OrderOperator; readonly value: Value }
  | {
      readonly kind: "range";
      readonly from: Value;
      readonly to: Value;
      readonly closed: boolean;
      /** Whether `from` itself is excluded. */
      readonly above?: true;
    }
  | {
      readonly kind: "glob";
      readonly fold: boolean;
      /** Contains the texts that begin like the pattern. Null: any text. */
      readonly range: { readonly from: string; readonly to: string } | null;
      /** Null if the range alone decides. */
      readonly pattern: string | null;
      /** The condition in terms of an index of trigrams, if the field has one that serves it. */
      readonly trigrams?: TrigramShape;
    }
  | { readonly kind: "text"; readonly needle: string }
  | WordsShape
);

/** What finds the versions in an index of trigrams. */
export interface TrigramShape extends TrigramPattern {
  readonly index: string;
}

/** A condition on the text in the table of words. */
export interface WordsShape extends WordsCondition {
  readonly kind: "words";
}

export interface ShapeScope {
  readonly layout: Layout;
  readonly dialect: Dialect;
  /** Names of indexes of trigrams by field. */
  readonly trigrams?: ReadonlyMap<string, string>;
}
