import type { Contract, Schema } from "../contract.ts";

/** The schema itself behind references; keywords beside a reference win, `allOf` is merged in. */
export function resolveSchema(contract: Contract, schema: Schema): Schema {
  const { $ref, allOf, ...rest } = schema;
  const parts = [
    ...(typeof $ref === "string" ? [target(contract, $ref)] : []),
    ...((allOf as readonly Schema[] | undefined) ?? []),
  ].map((part) => resolveSchema(contract, part));
  return parts.length === 0 ? schema : merge([...parts, rest]);
}

function target(contract: Contract, reference: string): Schema {
  const schema = contract.schemas[reference.replace("#/components/schemas/", "")];
  if (schema === undefined) throw new Error(`the document has no ${reference}`);
  return schema;
}

function merge(parts: readonly Schema[]): Schema {
  const merged: Record<string, unknown> = Object.assign({}, ...parts);
  const properties = parts.map((part) => part["properties"]).filter((found) => found !== undefined);
  if (properties.length > 1) merged["properties"] = Object.assign({}, ...properties);
  const required = parts.flatMap((part) => (part["required"] as string[] | undefined) ?? []);
  if (required.length > 0) merged["required"] = [...new Set(required)];
  return merged;
}

/** The JSON types that a schema allows; empty for a schema that does not say. */
export const typesOf = (schema: Schema): readonly string[] =>
  [(schema["type"] ?? []) as string | readonly string[]].flat();
