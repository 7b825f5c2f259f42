/** One field of an `x-fql` table. */
export interface FqlField {
  readonly type: "string" | "number" | "boolean" | "timestamp" | "ip";
  /** The record holds a list. Default false. */
  readonly array?: boolean;
  /** Default false. */
  readonly sortable?: boolean;
  /** Default true. */
  readonly filterable?: boolean;
  /** Default `exact`. */
  readonly match?: "exact" | "glob";
  /** Default `sensitive`. */
  readonly case?: "sensitive" | "insensitive";
  /** The only values that a string field accepts, ignoring case. */
  readonly values?: readonly string[];
  /** Aliases of values, in lower case, with the value that each represents. */
  readonly spellings?: Readonly<Record<string, string>>;
  /** `tenant-id`: values in upper case or with a check suffix, such as `-A1`, are read without them. */
  readonly form?: "tenant-id";
  /** Dot path in the record, if it differs from the field's name. */
  readonly path?: string;
  /** Computed from the text at another path, or the length of the list at the path `count`. */
  readonly derive?:
    | {
        readonly from: string;
        readonly map: Readonly<Record<string, string | number | boolean>>;
        readonly otherwise: string | number | boolean;
      }
    | { readonly count: string };
  readonly nullable?: boolean;
  readonly description?: string;
}

/** The filter and sort fields of one resource. */
export interface FqlTable {
  readonly resource: string;
  readonly fields: Readonly<Record<string, FqlField>>;
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
