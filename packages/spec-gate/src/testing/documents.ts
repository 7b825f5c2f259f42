import { compareDocuments, type Result } from "../compare/compare-documents.ts";
import type { JsonObject, Json } from "../json.ts";
import { documentOf } from "../read/load-document.ts";

export const testDay = new Date("2026-11-22T12:00:00Z");

/** A document with the parts that a test needs. */
export function documentWith(parts: JsonObject, openapi = "3.1.0"): JsonObject {
  return { openapi, info: { title: "Test", version: "1.0.0" }, paths: {}, ...parts };
}

export const jsonBody = (schema: Json): JsonObject => ({
  content: { "application/json": { schema } },
});

/** One operation, `POST /things`. */
export function operationWith(operation: JsonObject, more: JsonObject = {}, openapi = "3.1.0") {
  const post = { responses: { 204: { description: "Done." } }, ...operation };
  return documentWith({ paths: { "/things": { post } }, ...more }, openapi);
}

export const requestOf = (schema: Json, more: JsonObject = {}, openapi = "3.1.0") =>
  operationWith({ requestBody: { required: true, ...jsonBody(schema) } }, more, openapi);

export const responseOf = (schema: Json, more: JsonObject = {}, openapi = "3.1.0") =>
  operationWith(
    { responses: { 200: { description: "Done.", ...jsonBody(schema) } } },
    more,
    openapi,
  );

export const compare = (base: JsonObject, revision: JsonObject): Result =>
  compareDocuments(documentOf(base, "base.json"), documentOf(revision, "revision.json"), {
    today: testDay,
  });

/** `rule direction verdict` of every change. */
export const verdictsOf = ({ changes }: Result): readonly string[] =>
  changes.map(({ rule, direction, verdict }) => `${rule} ${direction} ${verdict}`).toSorted();
