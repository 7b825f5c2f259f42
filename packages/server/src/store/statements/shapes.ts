import type { OrderOperator } from "@security-platform/fql";
import type { Layout } from "../rows/columns.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Parameter } from "./plan-key.ts";
import type { RowTest } from "../dialects/row-test.ts";

/** A predicate as a part of a plan: plain data whose values are parameters. */
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
  | {
      readonly kind: "not-replaced";
      readonly cid: Parameter<string>;
      readonly snapshot: Parameter<number> | null;
    }
  | { readonly kind: "and" | "or"; readonly operands: readonly Shape[] }
  | { readonly kind: "not"; readonly operand: Shape }
  | ElementShape
  | AllOfShape
  | PairsShape
  | CollectedShape
  | TestedShape
  | RowsShape
  | LeafShape;

/** For an array field: each condition (`every`), or at least one of them, holds for some element. */
export interface ElementShape {
  readonly kind: "elements";
  readonly field: string;
  readonly every: boolean;
  readonly of: readonly FieldShape[];
}

/** For an array field: each of the distinct values is an element. */
export interface AllOfShape {
  readonly kind: "all-of";
  readonly field: string;
  readonly fold: boolean;
  readonly values: Parameter;
  readonly count: Parameter<number>;
}

/**
 * At least one of many pairs of texts matches: one text, which is in `lefts`, is an element of `left`, and
 * the other is an element of `right`. `pairs` holds a key for each pair.
 */
export interface PairsShape {
  readonly kind: "pairs";
  readonly left: CollectedField;
  readonly right: CollectedField;
  readonly lefts: Parameter<readonly string[]>;
  readonly pairs: Parameter<readonly string[]>;
}

/** A condition that compares values with elements. The elements are read once per row. */
export interface CollectedShape {
  readonly kind: "collected";
  readonly fields: readonly CollectedField[];
  readonly of: Shape;
}

/** Many conditions, tested in each row by a function of this process. */
export interface TestedShape {
  readonly kind: "tested";
  /** The values of a row that the function gets, in this order. */
  readonly columns: readonly TestedColumn[];
  readonly test: Parameter<RowTest>;
}

/** The row is in the list. */
export interface RowsShape {
  readonly kind: "rows";
  readonly rows: Parameter<readonly number[]>;
}

export interface TestedColumn {
  readonly field: string;
  /** `full`: the full text of an element of which the index holds only a part. */
  readonly of: "value" | "full" | "fold" | "text";
}

/** An array field, and whether its elements are folded. */
export interface CollectedField {
  readonly field: string;
  readonly fold: boolean;
}

/** A condition on the value of one field. */
export type FieldShape = Exclude<LeafShape, { kind: "words" }>;

export type LeafShape = { readonly field: string } & (
  | { readonly kind: "present" }
  | {
      readonly kind: "equal";
      readonly fold: boolean;
      readonly value: Parameter;
      /** For an array: the index holds the folded value in full. */
      readonly short?: true;
    }
  | { readonly kind: "any-of"; readonly fold?: boolean; readonly values: Parameter }
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
      /** The range `from <= x < to` contains the texts that begin like the pattern. */
      readonly from: Parameter | null;
      readonly to: Parameter | null;
      /** Null if the range alone decides. */
      readonly pattern: Parameter | null;
      /** The literal texts between the stars of the pattern. */
      readonly parts: Parameter<readonly string[]>;
    }
  | {
      readonly kind: "intervals";
      readonly fold: boolean;
      /**
       * Ascending bounds. The value is at least the first and less than the second one, or at least the third
       * and less than the fourth one, and so on.
       */
      readonly bounds: Parameter<readonly (string | number)[]>;
    }
  | { readonly kind: "text"; readonly needle: Parameter }
  | WordsShape
);

/** A condition on the text in the table of words. */
export interface WordsShape {
  readonly kind: "words";
  /** What the index has for some or all of the texts, and for no others. In the engine's query language. */
  readonly proven: Parameter<string> | null;
  /** What the index has for the rest of the texts, and for others: they are compared. */
  readonly possible: Parameter<string> | null;
  /** A text that the text key must contain. */
  readonly part: Parameter<string> | null;
  /** Texts that the sequence of words must contain. */
  readonly phrases: readonly Parameter<string>[];
}

export interface ShapeScope {
  readonly layout: Layout;
  readonly dialect: Dialect;
}
