import { servedDocument, type JsonSchema } from "@security-platform/spec";

/** Any JSON Schema of the document, including references. */
export type Schema = JsonSchema;

/** Where the document has its shared schemas. */
export const componentPath = "#/components/schemas/";

/**
 * Returns the schema itself. For a reference, returns the referenced schema with the members beside the
 * reference.
 */
export function resolved(schema: Schema): Schema {
  const { $ref: reference, ...own } = schema;
  if (typeof reference !== "string") return schema;
  const target = servedDocument().schemas[reference.slice(componentPath.length)];
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return Object.keys(own).length === 0 ? resolved(target) : { ...resolved(target), ...own };
}

const contained = new WeakMap<Schema, ReadonlySet<unknown>>();

/** The schema and all schemas inside it, also behind references. */
export function schemasIn(schema: Schema): ReadonlySet<unknown> {
  let schemas = contained.get(schema);
  if (schemas === undefined) {
    schemas = collect(schema, new Set());
    contained.set(schema, schemas);
  }
  return schemas;
}

function collect(value: unknown, collected: Set<unknown>): ReadonlySet<unknown> {
  if (value === null || typeof value !== "object" || collected.has(value)) return collected;
  collected.add(value);
  if ("$ref" in value) collect(resolved(value), collected);
  for (const member of Object.values(value)) collect(member, collected);
  return collected;
}
