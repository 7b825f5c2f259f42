import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { servedDocument, type JsonSchema } from "@security-platform/spec";
import type { Problem } from "../errors.ts";
import { problemsOf } from "./problems.ts";

/** Any JSON Schema of the document, references included. */
export type Schema = JsonSchema;

/** Judges one value; the empty list means that it is valid. */
export type SchemaValidator = (value: unknown) => readonly Problem[];

const documentId = "openapi.json";
const componentPath = "#/components/schemas/";

let shared: Ajv2020 | undefined;

/** One Ajv for the process, with the document's components; schemas compile when first used. */
function ajv(): Ajv2020 {
  if (shared !== undefined) return shared;
  // The document's schemas are known to be sound; judging them would compile all of JSON Schema.
  shared = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateSchema: false });
  (addFormats as unknown as (instance: Ajv2020) => void)(shared);
  shared.addSchema({ $id: documentId, components: { schemas: servedDocument().schemas } });
  return shared;
}

/** What a schema stands for: itself, or the one that it refers to with what stands beside the reference. */
export function resolved(schema: Schema): Schema {
  const { $ref: reference, ...own } = schema;
  if (typeof reference !== "string") return schema;
  const target = servedDocument().schemas[reference.slice(componentPath.length)];
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return Object.keys(own).length === 0 ? resolved(target) : { ...resolved(target), ...own };
}

/** A validator of `schema`; `place` starts the location of every problem (`body`, `query`). */
export function schemaValidator(schema: Schema, place: string): SchemaValidator {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    compiled ??= ajv().compile(withDocumentReferences(schema) as Schema);
    if (compiled(value)) return [];
    return problemsOf((compiled.errors ?? []) as readonly ErrorObject[], place, value);
  };
}

/** References of an operation point into the document, which Ajv knows under an id of its own. */
function withDocumentReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withDocumentReferences);
  if (schema === null || typeof schema !== "object") return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" && value.startsWith("#/")
        ? documentId + value
        : withDocumentReferences(value),
    ]),
  );
}
