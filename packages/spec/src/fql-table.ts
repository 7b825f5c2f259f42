import type { Fields } from "@security-platform/fql";

/** The filter and sort fields of one resource. */
export interface FqlTable {
  readonly resource: string;
  readonly fields: Fields;
}

/**
 * Marks a parameter or a member of a body as FQL. `resource` names its table. `of` is used instead
 * if the table depends on the operation (a shared aggregate) or on the rows (a data frame).
 */
export type FqlUse = {
  readonly use: "filter" | "sort" | "field" | "aggregate";
} & (
  | { readonly resource: string; readonly of?: never }
  | { readonly of: "operation" | "rows"; readonly resource?: never }
);
