import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { document } from "@security-platform/spec";
import type { Problem } from "../../errors.ts";
import { problemsOf } from "./problems.ts";

/** Any JSON Schema of the document, references included. */
export type Schema = Readonly<Record<string, unknown>>;

/** Judges one value; the empty list means that it is valid. */
export type SchemaValidator = (value: unknown) => readonly Problem[];

const documentId = "openapi.json";

let shared: Ajv2020 | undefined;

/** One Ajv for the process, with the document's components; schemas compile when first used. */
function ajv(): Ajv2020 {
  if (shared !== undefined) return shared;
  shared = new Ajv2020({ allErrors: true, strict: false, verbose: true });
  (addFormats as unknown as (instance: Ajv2020) => void)(shared);
  shared.addSchema({ $id: documentId, components: document().components });
  return shared;
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
