import { isObject, listOf, textOf, type Json, type JsonObject } from "../json.ts";
import {
  anyArray,
  anyBoolean,
  anyNumber,
  anyObject,
  anyString,
  atomTypeOf,
  atomTypes,
  type Atom,
  type AtomType,
  type Bound,
  type Canonical,
  type Condition,
  type Contains,
  type Conjunction,
  type ObjectAtom,
  type SchemaNode,
} from "./canonical.ts";
import { limitingFormats } from "./formats.ts";
import { isNumeric, numericOf, order } from "../numeric.ts";
import { matchesAll } from "./pattern.ts";

/**
 * The values that a schema's own keywords allow, without `$ref`, `allOf`, `oneOf`, `anyOf` and
 * `enum`.
 */
export function ownKeywords(node: JsonObject): Canonical {
  const { types, nullable, integer, odd } = typesOf(node);
  const conditions = conditionsOf(node);
  const atoms = types.map((type): Atom => ({ ...atomOf(type, node, integer), conditions }));
  if (odd === undefined) return { nullable, atoms };
  const unknown: Atom = { ...anyString, formats: [`type ${odd}`], conditions };
  return { nullable, atoms: [...atoms, unknown] };
}

interface Types {
  readonly types: readonly AtomType[];
  readonly nullable: boolean;
  readonly integer: boolean;
  /** A type that JSON Schema does not have. */
  readonly odd: string | undefined;
}

function typesOf({ type }: JsonObject): Types {
  if (type === undefined)
    return { types: atomTypes, nullable: true, integer: false, odd: undefined };
  const declared = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const types = new Set<AtomType>();
  let odd: string | undefined;
  for (const each of declared) {
    if (each === "integer") types.add("number");
    else if (atomTypes.includes(each as AtomType)) types.add(each as AtomType);
    // YAML reads an unquoted null as no text.
    else if (each !== "null" && each !== null) odd = String(each);
  }
  return {
    types: [...types],
    nullable: declared.includes("null") || declared.includes(null),
    integer: declared.includes("integer") && !declared.includes("number"),
    odd,
  };
}

function atomOf(type: AtomType, node: JsonObject, integer: boolean): Atom {
  switch (type) {
    case "boolean":
      return anyBoolean;
    case "number":
      return numberOf(node, integer);
    case "string":
      return stringOf(node);
    case "array":
      return arrayOf(node);
    case "object":
      return objectOf(node);
  }
}

function numberOf(node: JsonObject, isInteger: boolean): Atom {
  const step = doubleOf(node["multipleOf"]);
  const integer = isInteger || (typeof step === "number" && step > 0 && Number.isInteger(step));
  return {
    ...anyNumber,
    integer,
    minimum: boundOf(node["minimum"], node["exclusiveMinimum"], 1),
    maximum: boundOf(node["maximum"], node["exclusiveMaximum"], -1),
    multiplesOf: typeof step === "number" && step > 0 && step !== 1 ? [step] : [],
    formats: formatsOf(node, integer ? "integer" : "number"),
  };
}

/** `sign` is -1 for upper limits. OpenAPI 3.0 has a flag beside the limit, 3.1 has a separate limit. */
function boundOf(
  inclusive: Json | undefined,
  exclusive: Json | undefined,
  sign: 1 | -1,
): Bound | undefined {
  const limit = isNumeric(inclusive) ? inclusive : undefined;
  if (isNumeric(exclusive)) {
    if (limit !== undefined && sign * order(limit, exclusive) > 0) {
      return { value: limit, exclusive: false };
    }
    return { value: exclusive, exclusive: true };
  }
  return limit === undefined ? undefined : { value: limit, exclusive: exclusive === true };
}

const formatsOf = (
  { format }: JsonObject,
  type: "integer" | "number" | "string",
): readonly string[] =>
  typeof format === "string" && format !== "" && !(type === "string" && format in encodings)
    ? limitingFormats([format], type)
    : [];

/** Formats that OpenAPI 3.1 replaced by encodings. */
const encodings: Readonly<Record<string, string>> = { byte: "base64", base64url: "base64url" };

const stringOf = (node: JsonObject): Atom => ({
  ...anyString,
  minLength: countOf(node["minLength"], 0),
  maxLength: countOf(node["maxLength"], Infinity),
  patterns:
    typeof node["pattern"] === "string" && !matchesAll(node["pattern"]) ? [node["pattern"]] : [],
  formats: formatsOf(node, "string"),
  contentEncoding: textOf(node["contentEncoding"]) ?? encodings[textOf(node["format"]) ?? ""],
  contentMediaType: textOf(node["contentMediaType"]),
  contentSchema: schemaIn(node["contentSchema"]),
});

const doubleOf = (value: Json | undefined): Json | undefined =>
  typeof value === "bigint" ? Number(value) : value;

function countOf(value: Json | undefined, fallback: number): number {
  const count = doubleOf(value);
  return typeof count === "number" && Number.isInteger(count) && count >= 0 ? count : fallback;
}

function arrayOf(node: JsonObject): Atom {
  const { prefixItems, items, unevaluatedItems, contains } = node;
  const prefix = listOf(prefixItems).map(schemaIn);
  const contained: readonly Contains[] =
    isSchema(contains) && (node["minContains"] !== 0 || node["maxContains"] !== undefined)
      ? [
          {
            schema: schemaIn(contains),
            minimum: countOf(node["minContains"], 1),
            maximum: countOf(node["maxContains"], Infinity),
          },
        ]
      : [];
  // Items that match anything are items.
  const each = contained.filter(({ schema }) => schema.length === 0);
  return {
    ...anyArray,
    prefix,
    rest: items === undefined ? schemaIn(unevaluatedItems) : schemaIn(items),
    minItems: Math.max(countOf(node["minItems"], 0), ...each.map(({ minimum }) => minimum)),
    maxItems: Math.min(countOf(node["maxItems"], Infinity), ...each.map(({ maximum }) => maximum)),
    uniqueItems: node["uniqueItems"] === true,
    contains: contained.filter(({ schema }) => schema.length > 0),
  };
}

function objectOf(node: JsonObject): Atom {
  const { propertyNames } = node;
  const dependentSchemas = schemasIn(node["dependentSchemas"]);
  const condition = requirementOf(node);
  return {
    ...anyObject,
    ...membersOf(node),
    required: namesIn(node["required"]),
    names: isAnyText(propertyNames) ? [] : schemaIn(propertyNames),
    minProperties: countOf(node["minProperties"], 0),
    maxProperties: countOf(node["maxProperties"], Infinity),
    dependentRequired: unionOf([
      ...Object.entries(isObject(node["dependentRequired"]) ? node["dependentRequired"] : {}).map(
        ([name, list]) => [name, namesIn(list)] as const,
      ),
      ...[...dependentSchemas].flatMap(([name, schema]) => {
        const required = onlyRequired(schema[0]);
        return required === undefined ? [] : [[name, required] as const];
      }),
      ...(condition === undefined ? [] : [condition]),
    ]),
    dependentSchemas: new Map(
      [...dependentSchemas].filter(([, schema]) => onlyRequired(schema[0]) === undefined),
    ),
  };
}

/** The schemas of members. A pattern that matches every name applies also to the declared ones. */
function membersOf({
  properties,
  patternProperties,
  additionalProperties,
}: JsonObject): Pick<ObjectAtom, "properties" | "patterns" | "additional"> {
  const declared = schemasIn(properties);
  const all = schemasIn(patternProperties);
  const everywhere = [...all].filter(([pattern]) => matchesAll(pattern));
  if (everywhere.length === 0) {
    return { properties: declared, patterns: all, additional: schemaIn(additionalProperties) };
  }
  const more = everywhere.flatMap(([, schema]) => schema);
  return {
    properties: new Map([...declared].map(([name, schema]) => [name, [...schema, ...more]])),
    patterns: new Map([...all].filter(([pattern]) => !matchesAll(pattern))),
    additional: more,
  };
}

/** Names of members are texts anyway. */
const isAnyText = (schema: Json | undefined): boolean =>
  isObject(schema) &&
  schema["type"] === "string" &&
  Object.keys(schema).every((key) => ["type", "title", "description"].includes(key));

const namesIn = (list: Json | undefined): ReadonlySet<string> =>
  new Set(listOf(list).filter((name) => typeof name === "string"));

/** The names of a schema that says only which members are required. */
function onlyRequired(schema: Json | undefined): ReadonlySet<string> | undefined {
  if (!isObject(schema) || !Array.isArray(schema["required"])) return undefined;
  return Object.keys(schema).every((key) => key === "required" || key === "description")
    ? namesIn(schema["required"])
    : undefined;
}

/** `if` with one required member and `then` with others: the first requires the others. */
function requirementOf(node: JsonObject): readonly [string, ReadonlySet<string>] | undefined {
  const [name, ...more] = onlyRequired(node["if"]) ?? [];
  const others = onlyRequired(node["then"]);
  const isOne = name !== undefined && more.length === 0;
  return isOne && others !== undefined ? [name, others] : undefined;
}

function unionOf(
  entries: readonly (readonly [string, ReadonlySet<string>])[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const union = new Map<string, Set<string>>();
  for (const [name, others] of entries) {
    const known = union.get(name) ?? new Set();
    for (const each of others) known.add(each);
    union.set(name, known);
  }
  return union;
}

function conditionsOf(node: JsonObject): readonly Condition[] {
  const conditions: Condition[] = [];
  for (const each of exclusionsOf(node)) conditions.push({ kind: "not", schema: [each] });
  const isRequirement = requirementOf(node) !== undefined;
  const whenTrue = isRequirement ? undefined : node["then"];
  const [positive, negative] = [schemaIn(whenTrue), schemaIn(node["else"])];
  if (
    isSchema(node["if"]) &&
    decidedBranch(node) === undefined &&
    positive.length + negative.length > 0
  ) {
    conditions.push({
      kind: "if",
      schema: [node["if"]],
      whenTrue: positive,
      whenFalse: negative,
    });
  }
  return conditions;
}

/** The schemas of which none may match: what excludes any of several schemas excludes each. */
export const exclusionsOf = ({ not }: JsonObject): readonly SchemaNode[] =>
  isSchema(not) ? alternativesOf(not) : [];

function alternativesOf(node: SchemaNode): readonly SchemaNode[] {
  const isUnion =
    isObject(node) &&
    Array.isArray(node["anyOf"]) &&
    Object.keys(node).every((key) => ["anyOf", "title", "description", "$comment"].includes(key));
  const branches = isUnion ? listOf(node["anyOf"]).filter(isSchema) : [];
  return branches.length === 0 ? [node] : branches.flatMap(alternativesOf);
}

/** The branch that always applies, if `if` matches everything or nothing. */
export function decidedBranch(node: JsonObject): SchemaNode | undefined {
  const { if: condition, then: whenTrue, else: whenFalse } = node;
  if (!isSchema(condition)) return undefined;
  const isAlways = schemaIn(condition).length === 0;
  if (!isAlways && condition !== false) return undefined;
  const branch = isAlways ? whenTrue : whenFalse;
  return isSchema(branch) ? branch : true;
}

export const isSchema = (value: Json | undefined): value is SchemaNode =>
  isObject(value) || typeof value === "boolean";

/** `true` and `{}` allow everything. */
export const schemaIn = (value: Json | undefined): Conjunction =>
  isSchema(value) && value !== true && !(isObject(value) && Object.keys(value).length === 0)
    ? [value]
    : [];

const schemasIn = (value: Json | undefined): ReadonlyMap<string, Conjunction> =>
  new Map(
    Object.entries(isObject(value) ? value : {}).flatMap(([name, schema]) =>
      isSchema(schema) ? [[name, schemaIn(schema)] as const] : [],
    ),
  );

/**
 * Values of an enumeration by type. Documents often list only unquoted numbers with `type: string`,
 * which YAML reads as numbers. Such values are converted to the declared type. Beside a value of the
 * type, values of other types are never valid.
 */
export function coerced(values: readonly Json[], { type }: JsonObject): readonly Json[] {
  if (typeof type !== "string") return values;
  const declared = type === "integer" ? "number" : type;
  if (values.some((value) => value !== null && atomTypeOf(value) === declared)) return values;
  return values.map((value) => {
    if (value === null || (atomTypeOf(value) as string) === type) return value;
    if (type === "string" && typeof value !== "object") return String(value);
    if ((type !== "integer" && type !== "number") || typeof value !== "string") return value;
    const number = numericOf(value);
    return value.trim() === "" || Number.isNaN(number) ? value : number;
  });
}
