import type { Conformance } from "../conformance/conformance.ts";
import type { Schema } from "../contract.ts";
import { valueAt, type JsonPath } from "./json-path.ts";
import { resolveSchema, typesOf } from "./resolve-schema.ts";

/** A place in a body, its schema, and the innermost choice of schemas around it. */
export interface Site {
  readonly path: JsonPath;
  readonly schema: Schema;
  readonly choice: JsonPath | null;
  /** Whether the object may lack the member. */
  readonly isOptional: boolean;
}

/** Number of list items to check; further items are assumed to be alike. */
const visitedItems = 5;

/**
 * The places of a valid body: itself, the actual and optional members of its objects, and the items
 * of its lists. Of places that differ only in an item index, the first.
 */
export function sitesOf(conformance: Conformance, schema: Schema, body: unknown): readonly Site[] {
  const sites = new Map<string, Site>();
  for (const site of visit(conformance, schema, body, {
    path: [],
    choice: null,
    isOptional: false,
  })) {
    const key = site.path.map((part) => (typeof part === "number" ? "[]" : part)).join("/");
    if (!sites.has(key)) sites.set(key, site);
  }
  return [...sites.values()];
}

function visit(
  conformance: Conformance,
  schemaOrReference: Schema,
  body: unknown,
  { path, choice, isOptional }: Omit<Site, "schema">,
): readonly Site[] {
  const { contract } = conformance;
  const resolved = resolveSchema(contract, schemaOrReference);
  const value = valueAt(body, path);
  const alternative = alternativeOf(conformance, resolved, value);
  const chosen = alternative === undefined ? resolved : resolveSchema(contract, alternative);
  const choices = (resolved["oneOf"] ?? resolved["anyOf"] ?? []) as readonly Schema[];
  const types = typesOf(chosen);
  const others = choices.flatMap((each) => typesOf(resolveSchema(contract, each)));
  // A type is right if any alternative has it.
  const schema =
    types.length > 0 && others.some((type) => !types.includes(type))
      ? { ...chosen, type: [...new Set([...types, ...others])] }
      : chosen;
  const around = alternative === undefined ? choice : path;
  const items = schema["items"] as Schema | undefined;
  const required = (schema["required"] ?? []) as readonly string[];
  return [
    { path, schema, choice: around, isOptional },
    ...membersOf(schema, value, path).flatMap(([name, inner]) =>
      visit(conformance, inner, body, {
        path: [...path, name],
        choice: around,
        isOptional: !required.includes(name),
      }),
    ),
    ...(items !== undefined && Array.isArray(value)
      ? [...value.keys()].slice(0, visitedItems).flatMap((index) =>
          visit(conformance, items, body, {
            path: [...path, index],
            choice: around,
            isOptional: false,
          }),
        )
      : []),
  ];
}

/** Members of an existing object, or near the top of one that could be added as `{}`. */
function membersOf(schema: Schema, value: unknown, path: JsonPath) {
  const mayBeEmpty = value === undefined && schema["required"] === undefined && path.length < 2;
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  return isObject(value) || mayBeEmpty ? Object.entries(properties) : [];
}

/** The alternative of the schema that the value matches. */
function alternativeOf(
  conformance: Conformance,
  schema: Schema,
  value: unknown,
): Schema | undefined {
  const choices = (schema["oneOf"] ?? schema["anyOf"]) as readonly Schema[] | undefined;
  return choices
    ?.filter((each) => "$ref" in each || "properties" in each || "type" in each)
    .find((each) => conformance.validators.violations(each, value).length === 0);
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
