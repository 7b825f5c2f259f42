import type { OrderOperator, Scalar } from "@security-platform/fql";
import type { FieldColumns, Layout } from "../rows/columns.ts";
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
  readonly columns: FieldColumns;
  readonly of: readonly FieldShape[];
}

export type LeafShape = FieldShape | WordsShape;

/** A condition on the value of one field. */
export type FieldShape = { readonly columns: FieldColumns } & (
  | { readonly kind: "present" }
  | {
      readonly kind: "equal";
      readonly fold: boolean;
      readonly value: Scalar;
      /** Whether the index of an array holds the folded value in full. */
      readonly short?: true;
    }
  | { readonly kind: "any-of"; readonly fold?: boolean; readonly values: readonly Scalar[] }
  | { readonly kind: "compare"; readonly operator: OrderOperator; readonly value: Scalar }
  | {
      readonly kind: "range";
      readonly from: Scalar;
      readonly to: Scalar;
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
);

export const isFieldShape = (shape: Shape): shape is FieldShape =>
  "columns" in shape && shape.kind !== "elements";

/** What an engine can start from to find the versions of a condition, and perhaps others. */
export type StartShape =
  LeafShape | { readonly kind: "or"; readonly operands: readonly LeafShape[] };

type SearchedShape = Extract<FieldShape, { kind: "glob" }> & { readonly trigrams: TrigramShape };

export const usesTrigrams = (shape: Shape): shape is SearchedShape =>
  shape.kind === "glob" && shape.trigrams !== undefined;

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
