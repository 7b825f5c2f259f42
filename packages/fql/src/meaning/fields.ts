/** The type of a field decides which operators it supports. */
export type FieldType = "string" | "number" | "boolean" | "timestamp" | "ip";

/** A single comparable value, from a record or a filter. */
export type Scalar = string | number | boolean;

/**
 * A computed value: `map` of the text at the dot path `from`, or else `otherwise`; or the length of
 * the list at the path `count`.
 */
export type Derivation =
  | {
      readonly from: string;
      readonly map: Readonly<Record<string, Scalar>>;
      readonly otherwise: Scalar;
    }
  | { readonly count: string };

/** One entry of a parameter's `x-fql` table. */
export interface Field {
  readonly type: FieldType;
  /** The record holds a list, and a condition matches if any element does. Default false. */
  readonly array?: boolean;
  /** Default false. */
  readonly sortable?: boolean;
  /** Default true. */
  readonly filterable?: boolean;
  /** `glob`: a `*` inside a plain `:'…'` is a wildcard. Default `exact`. */
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
  readonly derive?: Derivation;
  /** Whether the value may be null. Only the documentation uses it. */
  readonly nullable?: boolean;
  readonly description?: string;
}

/** The fields of one resource by canonical name. All other names are unknown. */
export type Fields = Readonly<Record<string, Field>>;
