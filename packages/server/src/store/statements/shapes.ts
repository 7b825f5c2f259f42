import type { OrderOperator } from "@security-platform/fql";
import type { Layout } from "../rows/columns.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Parameter } from "./plan-key.ts";

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
  | ElementsShape
  | LeafShape;

/** For an array field: at least one of the conditions holds for some element. */
export interface ElementsShape {
  readonly kind: "elements";
  readonly field: string;
  readonly of: readonly FieldShape[];
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
