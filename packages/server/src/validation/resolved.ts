import { servedDocument, type JsonSchema } from "@security-platform/spec";
import { SchemaSet } from "@security-platform/spec/schemas";

/** Any JSON Schema of the document, including references. */
export type Schema = JsonSchema;

/** The schemas of the document that the server serves. */
export const schemas = new SchemaSet(() => servedDocument().schemas);

/**
 * Returns the schema itself. For a reference, returns the referenced schema with the members beside the
 * reference.
 */
export const resolved = (schema: Schema): Schema => schemas.resolved(schema);
