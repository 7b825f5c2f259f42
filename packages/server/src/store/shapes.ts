import type { OrderOperator } from "@security-platform/fql";
import type { Layout } from "./columns.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { Parameter } from "./plan-key.ts";
import type { RowTest } from "./dialects/row-test.ts";

/** A predicate as a part of a plan: plain data whose values are parameters. */
export type Shape =
  | { readonly kind: "all" | "none" }
  /** Of a resource with soft deletion: not deleted; deleted and still readable; either. */
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
  | ElementShape
  | AllOfShape
  | PairsShape
  | CollectedShape
  | TestedShape
  | RowsShape
  | LeafShape;

/** Of an array field: each of the conditions, or one of them, holds for some element. */
export interface ElementShape {
  readonly kind: "elements";
  readonly field: string;
  readonly every: boolean;
  readonly of: readonly FieldShape[];
}

/** Of an array field: each of the values, which differ, is an element. */
export interface AllOfShape {
  readonly kind: "all-of";
  readonly field: string;
  readonly fold: boolean;
  readonly values: Parameter;
  readonly count: Parameter<number>;
}

/**
 * One of many pairs of texts: `left` has the one, which is in `lefts`, and `right` the other. `pairs` holds
 * a key of each pair.
 */
export interface PairsShape {
  readonly kind: "pairs";
  readonly left: CollectedField;
  readonly right: CollectedField;
  readonly lefts: Parameter<readonly string[]>;
  readonly pairs: Parameter<readonly string[]>;
}

/** Single values are compared with elements that are read once for each row. */
export interface CollectedShape {
  readonly kind: "collected";
  readonly fields: readonly CollectedField[];
  readonly of: Shape;
}

/** Many conditions that a function of this process tests in each row. */
export interface TestedShape {
  readonly kind: "tested";
  /** What the function gets of a row, in this order. */
  readonly columns: readonly TestedColumn[];
  readonly test: Parameter<RowTest>;
}

/** The row is one of these. */
export interface RowsShape {
  readonly kind: "rows";
  readonly rows: Parameter<readonly number[]>;
}

export interface TestedColumn {
  readonly field: string;
  /** `full`: of an element, the text that the index has a part of. */
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
      /** Of an array: the index holds the folded value in full. */
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
      /** The texts that begin as the pattern does lie in `from <= x < to`. */
      readonly from: Parameter | null;
      readonly to: Parameter | null;
      /** Null where that range says it all. */
      readonly pattern: Parameter | null;
      /** The literal texts between the stars of the pattern. */
      readonly parts: Parameter<readonly string[]>;
    }
  | {
      readonly kind: "intervals";
      readonly fold: boolean;
      /** Ascending: the value is from an odd bound on, and below the next one if there is one. */
      readonly bounds: Parameter<readonly (string | number)[]>;
    }
  | { readonly kind: "text"; readonly needle: Parameter }
  | WordsShape
);

/** A condition on the text in the table of words. */
export interface WordsShape {
  readonly kind: "words";
  /** What the index holds of the text, in the form of the engine's query language. */
  readonly words: Parameter<string>;
  /** A part of the text key. */
  readonly part: Parameter<string> | null;
  /** Parts of the sequence of words. */
  readonly phrases: readonly Parameter<string>[];
}

export interface ShapeScope {
  readonly layout: Layout;
  readonly dialect: Dialect;
}
