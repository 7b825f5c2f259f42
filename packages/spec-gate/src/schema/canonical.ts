import type { Json, JsonObject } from "../json.ts";
import type { Numeric } from "../numeric.ts";

/** A schema as it is written in a document. */
export type SchemaNode = JsonObject | boolean;

/** Schemas that must all match. The empty list allows everything. */
export type Conjunction = readonly SchemaNode[];

export type AtomType = "boolean" | "number" | "string" | "array" | "object";
export const atomTypes: readonly AtomType[] = ["boolean", "number", "string", "array", "object"];

export interface Bound {
  readonly value: Numeric;
  readonly exclusive: boolean;
}

/** A keyword that is compared as a whole: `not`, or `if` with `then` and `else`. */
export type Condition =
  | { readonly kind: "not"; readonly schema: Conjunction }
  | {
      readonly kind: "if";
      readonly schema: Conjunction;
      readonly whenTrue: Conjunction;
      readonly whenFalse: Conjunction;
    };

interface AnyAtom {
  /** The only values; every other constraint has been applied to them already. */
  readonly values: readonly Json[] | undefined;
  readonly conditions: readonly Condition[];
  /**
   * The label of this alternative of a `oneOf` or `anyOf`: a component's name or a discriminator's
   * value.
   */
  readonly label: string | undefined;
  /** The label is a value of a discriminator. */
  readonly isTagged: boolean;
}

export interface BooleanAtom extends AnyAtom {
  readonly type: "boolean";
}

export interface NumberAtom extends AnyAtom {
  readonly type: "number";
  readonly integer: boolean;
  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
  readonly multiplesOf: readonly number[];
  readonly formats: readonly string[];
}

export interface StringAtom extends AnyAtom {
  readonly type: "string";
  readonly minLength: number;
  readonly maxLength: number;
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly contentEncoding: string | undefined;
  readonly contentMediaType: string | undefined;
  readonly contentSchema: Conjunction;
}

export interface Contains {
  readonly schema: Conjunction;
  readonly minimum: number;
  readonly maximum: number;
}

export interface ArrayAtom extends AnyAtom {
  readonly type: "array";
  readonly prefix: readonly Conjunction[];
  readonly rest: Conjunction;
  readonly minItems: number;
  readonly maxItems: number;
  readonly uniqueItems: boolean;
  readonly contains: readonly Contains[];
}

export interface ObjectAtom extends AnyAtom {
  readonly type: "object";
  readonly properties: ReadonlyMap<string, Conjunction>;
  readonly required: ReadonlySet<string>;
  readonly patterns: ReadonlyMap<string, Conjunction>;
  /** The schema of members that match neither `properties` nor `patterns`. */
  readonly additional: Conjunction;
  readonly names: Conjunction;
  readonly minProperties: number;
  readonly maxProperties: number;
  readonly dependentRequired: ReadonlyMap<string, ReadonlySet<string>>;
  readonly dependentSchemas: ReadonlyMap<string, Conjunction>;
}

export type Atom = BooleanAtom | NumberAtom | StringAtom | ArrayAtom | ObjectAtom;

/**
 * The canonical form of a schema: whether it allows null, and alternatives of one JSON type each. A
 * value is valid if one alternative allows it. Without alternatives nothing is allowed.
 */
export interface Canonical {
  readonly nullable: boolean;
  /** Whether a branch of a `oneOf` or `anyOf` allows everything, beside those of the atoms. */
  readonly open?: boolean;
  /** Whether the schema combines more alternatives than are compared; then it has no atoms. */
  readonly isTooComplex?: boolean;
  readonly atoms: readonly Atom[];
  /** The branches of each `oneOf`. They count as those of `anyOf`, but for what they exclude. */
  readonly choices?: readonly (readonly Conjunction[])[];
}

const common = { values: undefined, conditions: [], label: undefined, isTagged: false } as const;

export const anyBoolean: BooleanAtom = { ...common, type: "boolean" };
export const anyNumber: NumberAtom = {
  ...common,
  type: "number",
  integer: false,
  minimum: undefined,
  maximum: undefined,
  multiplesOf: [],
  formats: [],
};
export const anyString: StringAtom = {
  ...common,
  type: "string",
  minLength: 0,
  maxLength: Infinity,
  patterns: [],
  formats: [],
  contentEncoding: undefined,
  contentMediaType: undefined,
  contentSchema: [],
};
export const anyArray: ArrayAtom = {
  ...common,
  type: "array",
  prefix: [],
  rest: [],
  minItems: 0,
  maxItems: Infinity,
  uniqueItems: false,
  contains: [],
};
export const anyObject: ObjectAtom = {
  ...common,
  type: "object",
  properties: new Map(),
  required: new Set(),
  patterns: new Map(),
  additional: [],
  names: [],
  minProperties: 0,
  maxProperties: Infinity,
  dependentRequired: new Map(),
  dependentSchemas: new Map(),
};

export const anything: Canonical = {
  nullable: true,
  atoms: [anyBoolean, anyNumber, anyString, anyArray, anyObject],
};
export const nothing: Canonical = { nullable: false, atoms: [] };

/** Whether a schema allows some values of every type, because it names none. */
export const isAny = ({ nullable, atoms }: Canonical): boolean =>
  nullable && atomTypes.every((type) => atoms.some((atom) => atom.type === type));

/** What is known of a schema that combines too many alternatives. */
export const tooComplex: Canonical = { nullable: true, isTooComplex: true, atoms: [] };

export const isNothing = ({ nullable, atoms }: Canonical): boolean =>
  !nullable && atoms.length === 0;

/** The JSON type of a value, as atoms have it; null has none. */
export function atomTypeOf(value: Json): AtomType | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return "array";
  return typeof value === "bigint" ? "number" : (typeof value as AtomType);
}
