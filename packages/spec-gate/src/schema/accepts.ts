import { canonicalText, isObject, type Json, type JsonObject } from "../json.ts";
import {
  atomTypeOf,
  type ArrayAtom,
  type Atom,
  type Canonical,
  type Condition,
  type Conjunction,
  type NumberAtom,
  type ObjectAtom,
  type StringAtom,
} from "./canonical.ts";
import { matches } from "./expression.ts";
import { isNumberFormat } from "./formats.ts";
import { boundsOf } from "./implied.ts";
import { isOfFormat } from "./format-values.ts";
import { isInteger, type Numeric } from "../numeric.ts";
import { childOf } from "./members.ts";

/** The parts of the document that validation needs. */
export interface Schemas {
  canonical(schema: Conjunction): Canonical;
  /** Called for each value and alternative. */
  readonly step?: () => void;
  /** The answer for patterns that cannot be evaluated; by default they match. */
  readonly whenUnknown?: boolean;
  /** Whether texts must be of the formats and encodings, too; by default they are not checked. */
  readonly checksFormats?: boolean;
}

/** Whether a schema allows a value. */
export function accepts(schemas: Schemas, schema: Canonical, value: Json): boolean {
  if (schema.open === true || schema.isTooComplex === true) return true;
  if (value === null) return schema.nullable;
  return schema.atoms.some((atom) => acceptsAtom(schemas, atom, value));
}

const textsByValues = new WeakMap<readonly Json[], ReadonlySet<string>>();

/** Listed values as texts. Lists of many thousand values are looked up for each value. */
function textsOf(values: readonly Json[]): ReadonlySet<string> {
  const known = textsByValues.get(values);
  if (known !== undefined) return known;
  const texts = new Set(values.map(canonicalText));
  textsByValues.set(values, texts);
  return texts;
}

export function acceptsAtom(schemas: Schemas, atom: Atom, value: Json): boolean {
  schemas.step?.();
  if (atomTypeOf(value) !== atom.type) return false;
  if (atom.values !== undefined && !textsOf(atom.values).has(canonicalText(value))) return false;
  return (
    atom.conditions.every((condition) => holds(schemas, condition, value)) &&
    acceptsContent(schemas, atom, value)
  );
}

function holds(schemas: Schemas, condition: Condition, value: Json): boolean {
  const allowed = (schema: Conjunction): boolean =>
    accepts(schemas, schemas.canonical(schema), value);
  if (condition.kind === "not") return !allowed(condition.schema);
  return allowed(allowed(condition.schema) ? condition.whenTrue : condition.whenFalse);
}

function acceptsContent(schemas: Schemas, atom: Atom, value: Json): boolean {
  switch (atom.type) {
    case "boolean":
      return true;
    case "number":
      return acceptsNumber(schemas, atom, value as Numeric);
    case "string":
      return acceptsString(schemas, atom, value as string);
    case "array":
      return acceptsArray(schemas, atom, value as readonly Json[]);
    case "object":
      return isObject(value) && acceptsObject(schemas, atom, value);
  }
}

function acceptsNumber(schemas: Schemas, atom: NumberAtom, value: Numeric): boolean {
  const { minimum, maximum } = schemas.checksFormats === true ? boundsOf(atom) : atom;
  if (schemas.checksFormats === true && !atom.formats.every(isNumberFormat)) return false;
  if (atom.integer && !isInteger(value)) return false;
  if (minimum && (minimum.exclusive ? value <= minimum.value : value < minimum.value)) return false;
  if (maximum && (maximum.exclusive ? value >= maximum.value : value > maximum.value)) return false;
  return atom.multiplesOf.every((step) =>
    Number.isInteger(Number((Number(value) / step).toPrecision(12))),
  );
}

function acceptsString(schemas: Schemas, atom: StringAtom, value: string): boolean {
  const length = [...value].length;
  if (length < atom.minLength || length > atom.maxLength) return false;
  if (schemas.checksFormats === true && !isOfFormats(atom, value)) return false;
  return atom.patterns.every((pattern) => matches(pattern, value) ?? schemas.whenUnknown ?? true);
}

/** Whether a text is proven to be of all formats. */
const isOfFormats = ({ formats, contentEncoding }: StringAtom, value: string): boolean =>
  formats.every((format) => isOfFormat(format, value) === true) &&
  (contentEncoding === undefined ||
    (contentEncoding.startsWith("base64") && isOfFormat("byte", value) === true));

function acceptsArray(schemas: Schemas, atom: ArrayAtom, value: readonly Json[]): boolean {
  const allowed = (schema: Conjunction, item: Json): boolean =>
    accepts(schemas, schemas.canonical(schema), item);
  if (value.length < atom.minItems || value.length > atom.maxItems) return false;
  if (atom.uniqueItems && new Set(value.map(canonicalText)).size < value.length) return false;
  return (
    value.every((item, index) => allowed(atom.prefix[index] ?? atom.rest, item)) &&
    atom.contains.every(({ schema, minimum, maximum }) => {
      const count = value.filter((item) => allowed(schema, item)).length;
      return count >= minimum && count <= maximum;
    })
  );
}

function acceptsObject(schemas: Schemas, atom: ObjectAtom, value: JsonObject): boolean {
  const allowed = (schema: Conjunction, member: Json): boolean =>
    accepts(schemas, schemas.canonical(schema), member);
  const names = Object.keys(value);
  const has = (name: string): boolean => Object.hasOwn(value, name);
  if (names.length < atom.minProperties || names.length > atom.maxProperties) return false;
  return (
    [...atom.required].every(has) &&
    names.every((name) => allowed(childOf(atom, name), value[name] ?? null)) &&
    names.every((name) => allowed(atom.names, name)) &&
    [...atom.dependentRequired].every(([name, others]) => !has(name) || [...others].every(has)) &&
    [...atom.dependentSchemas].every(([name, schema]) => !has(name) || allowed(schema, value))
  );
}
