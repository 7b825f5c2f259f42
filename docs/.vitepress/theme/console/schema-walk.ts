import type { JsonSchema } from "@security-platform/spec";
import { SchemaSet, type Components } from "@security-platform/spec/schemas";

/** Follows references; keywords beside a reference take precedence. */
export const resolved = (schema: JsonSchema, components: Components): JsonSchema =>
  new SchemaSet(() => components).resolved(schema);

/** A schema, or its alternatives if it has some. */
export function alternativesOf(schema: JsonSchema, components: Components): readonly JsonSchema[] {
  const own = resolved(schema, components);
  const choices = [own["oneOf"], own["anyOf"]].flatMap(
    (each) => (each ?? []) as readonly JsonSchema[],
  );
  if (choices.length === 0) return [own];
  return choices.flatMap((choice) => alternativesOf(choice, components));
}

/** The schemas that a value at this place can have. */
export function schemasAt(
  schema: JsonSchema,
  components: Components,
  path: readonly (string | number)[],
): readonly JsonSchema[] {
  let schemas = alternativesOf(schema, components);
  for (const step of path) {
    schemas = schemas
      .map((each) => inner(each, step))
      .filter((each) => each !== undefined)
      .flatMap((each) => alternativesOf(each, components));
  }
  return schemas;
}

function inner(schema: JsonSchema, step: string | number): JsonSchema | undefined {
  if (typeof step === "number") return schema["items"] as JsonSchema | undefined;
  const own = propertiesOf(schema)[step];
  if (own !== undefined) return own;
  const others = schema["additionalProperties"];
  return typeof others === "object" ? (others as JsonSchema) : undefined;
}

/** The described members of an object. */
export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;

/** The values of an enumeration, of a constant and of a boolean. */
export function valuesOf(schema: JsonSchema): readonly unknown[] {
  if ("const" in schema) return [schema["const"]];
  if (Array.isArray(schema["enum"])) return schema["enum"] as unknown[];
  return schema["type"] === "boolean" ? [true, false] : [];
}

/** A text of the form as the value that the schema expects, if it is one. */
export function valueOfText(text: string, schema: JsonSchema, components: Components): unknown {
  const types = alternativesOf(schema, components).map(({ type }) => type);
  if (
    types.some((type) => type === "integer" || type === "number") &&
    /^-?\d+(?:\.\d+)?$/.test(text)
  ) {
    return Number(text);
  }
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** The schema of the items of a list; undefined for other types. */
export function itemsOf(schema: JsonSchema, components: Components): JsonSchema | undefined {
  const { type, items } = resolved(schema, components);
  return type === "array" ? resolved((items ?? {}) as JsonSchema, components) : undefined;
}
