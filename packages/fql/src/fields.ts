/** What a field holds, and so which operators it takes. */
export type FieldType = "string" | "number" | "boolean" | "timestamp" | "ip";

/** A single comparable value: of a record, or of a filter. */
export type Scalar = string | number | boolean;

/** A value computed from another: `map` by the text found at the dot path `from`, else `otherwise`. */
export interface Derivation {
  readonly from: string;
  readonly map: Readonly<Record<string, Scalar>>;
  readonly otherwise: Scalar;
}

/** One entry of a parameter's `x-fql` table. */
export interface Field {
  readonly type: FieldType;
  /** The record holds a list; a condition then asks for any element. Default false. */
  readonly array?: boolean;
  /** Default false. */
  readonly sortable?: boolean;
  /** Default true. */
  readonly filterable?: boolean;
  /** `glob`: a `*` inside a plain `:'…'` is a wildcard. Default `exact`. */
  readonly match?: "exact" | "glob";
  /** Default `sensitive`. */
  readonly case?: "sensitive" | "insensitive";
  /** The only values a string field takes. */
  readonly values?: readonly string[];
  /** Dot path in the record, where it is not the field's name. */
  readonly path?: string;
  readonly derive?: Derivation;
  /** For readers of the table only. */
  readonly nullable?: boolean;
  readonly description?: string;
}

/** The fields of one resource by canonical name. A name that is not listed is unknown. */
export type Fields = Readonly<Record<string, Field>>;
