import type { JsonSchema } from "@security-platform/spec";
import { SchemaSet, type Components } from "@security-platform/spec/schemas";
import { code } from "./markdown.ts";

export type { Components };

const prefix = "#/components/schemas/";

/** Name of the component that a schema refers to. */
export function referenceName(schema: JsonSchema): string | undefined {
  const reference = schema["$ref"];
  return typeof reference === "string" && reference.startsWith(prefix)
    ? reference.slice(prefix.length)
    : undefined;
}

/** Whether the component is an object, which has a page of its own. */
export const isObject = (name: string, components: Components): boolean =>
  components[name]?.["type"] === "object";

/** Names of the components to which any part of a schema refers. */
export const referencesIn = (schema: JsonSchema): ReadonlySet<string> =>
  new Set(
    [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name = ""]) => name,
    ),
  );

/** Resolves a reference; keywords next to the reference take precedence. */
export const resolve = (schema: JsonSchema, components: Components): JsonSchema =>
  new SchemaSet(() => components).resolved(schema);

/** Alternative schemas: the branches of `oneOf` and `anyOf`. */
export const alternatives = (schema: JsonSchema): readonly JsonSchema[] =>
  ["oneOf", "anyOf"].flatMap((keyword) => (schema[keyword] as JsonSchema[] | undefined) ?? []);

/** `string`, `list of Indicator`, `AggregateSpec or list of AggregateSpec`. */
export function typeText(
  schema: JsonSchema,
  components: Components,
  above: readonly string[] = [],
): string {
  const name = referenceName(schema);
  // A recursive schema is represented by its name.
  if (name !== undefined && above.includes(name)) return name;
  const inside = name === undefined ? above : [...above, name];
  const resolved = resolve(schema, components);
  if (name !== undefined && resolved["type"] === "object") return name;
  const choices = alternatives(resolved);
  if (choices.length > 0) {
    return [...new Set(choices.map((choice) => typeText(choice, components, inside)))].join(" or ");
  }
  if (resolved["items"] !== undefined) {
    return `list of ${typeText(resolved["items"] as JsonSchema, components, inside)}`;
  }
  const values = resolved["additionalProperties"];
  if (typeof values === "object" && values !== null) {
    return `object of ${typeText(values as JsonSchema, components, inside)}`;
  }
  return plainType(resolved);
}

function plainType(schema: JsonSchema): string {
  const { type } = schema;
  if (Array.isArray(type)) return type.join(" or ");
  if (typeof type === "string") return type;
  if ("const" in schema) return typeof schema["const"];
  if (Array.isArray(schema["enum"])) return typeof schema["enum"][0];
  return schema["properties"] === undefined ? "any" : "object";
}

/** The rules of a value other than its type, and its default: text with inline code. */
export function ruleTexts(reference: JsonSchema, components: Components): readonly string[] {
  const schema = resolve(reference, components);
  const rules: string[] = [];
  const add = (text: string | undefined): void => {
    if (text !== undefined) rules.push(text);
  };
  if ("const" in schema) add(`always ${code(String(schema["const"]))}`);
  if (Array.isArray(schema["enum"])) add(`one of ${schema["enum"].map(valueText).join(", ")}`);
  add(range(schema["minimum"], schema["maximum"], ""));
  add(range(schema["minLength"], schema["maxLength"], " characters"));
  add(range(schema["minItems"], schema["maxItems"], " items"));
  if (schema["uniqueItems"] === true) add("unique items");
  // The title of a text says which texts are valid; that of an object names it.
  if (typeof schema["title"] === "string" && schema["properties"] === undefined) {
    add(schema["title"]);
  } else if (typeof schema["pattern"] === "string") add(`matches ${code(schema["pattern"])}`);
  if (typeof schema["format"] === "string") add(formatText(schema["format"]));
  if (schema["items"] !== undefined) {
    const items = ruleTexts(schema["items"] as JsonSchema, components);
    if (items.length > 0) add(`each ${items.join(", ")}`);
  }
  if ("default" in schema) add(`default ${valueText(schema["default"])}`);
  if (schema["readOnly"] === true) add("read-only");
  return rules;
}

const valueText = (value: unknown): string =>
  code(typeof value === "string" && value !== "" ? value : JSON.stringify(value));

function range(low: unknown, high: unknown, unit: string): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (low === high) return `exactly ${number(low)}${unit}`;
  if (low === undefined || low === 0) {
    return high === undefined
      ? undefined
      : `${low === 0 && unit === "" ? "0 to" : "up to"} ${number(high)}${unit}`;
  }
  return high === undefined
    ? `at least ${number(low)}${unit}`
    : `${number(low)} to ${number(high)}${unit}`;
}

const number = (value: unknown): string => Number(value).toLocaleString("en");

const formatNames: Readonly<Record<string, string>> = {
  "date-time": "RFC 3339 timestamp",
  uuid: "UUID",
  password: "secret",
};

const formatText = (format: string): string => formatNames[format] ?? format;
