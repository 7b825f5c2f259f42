import { readFileSync } from "node:fs";
import type { CalledDocument, MethodEntry } from "./called-operation.ts";
import type { JsonSchema, OpenApiDocument } from "./document.ts";
import type { Erratum } from "./errata/entry.ts";
import type { OperationId } from "./generated/operation-ids.ts";
import type { operations as OperationTypes } from "./generated/types.ts";
import { mergeDocuments } from "./merge-documents.ts";
import type { Operation, ServedDocument } from "./operation.ts";

export type { CalledDocument, CalledOperation, MethodEntry } from "./called-operation.ts";
export type { Example, JsonSchema, MediaType, OpenApiDocument } from "./document.ts";
export { errataKinds, type Erratum, type ErratumKind } from "./errata/entry.ts";
export {
  compatQuirks,
  clientHeaders,
  schemaQuirks,
  type CompatQuirks,
  type SchemaQuirks,
} from "./existing-clients.ts";
export type { FqlTable, FqlUse } from "./fql-table.ts";
export type { ImportRecords } from "./generated/import-records.ts";
export { fqlTables } from "./generated/fql-tables.ts";
export type { FaultRule, RecordedRequest, SetFault } from "./generated/control-types.ts";
export type { OperationId } from "./generated/operation-ids.ts";
export type * from "./generated/types.ts";
export type {
  HeaderDescription,
  Method,
  Operation,
  Parameter,
  RequestBodyDescription,
  ResponseDescription,
  ServedDocument,
  ServedOperation,
  Wait,
} from "./operation.ts";
export type {
  FieldsOf,
  FileMembersOf,
  HeadersOf,
  PathOf,
  QueryInputOf,
  QueryOf,
  RequestBody,
  ResponseBody,
} from "./types-by-operation.ts";

const generated = (name: string): URL => new URL(`./generated/${name}`, import.meta.url);

function once<Value>(load: () => Value): () => Value {
  let loaded: { readonly value: Value } | undefined;
  return () => (loaded ??= { value: load() }).value;
}

const read = (name: string): unknown => JSON.parse(readFileSync(generated(name), "utf8"));

/** The bundled OpenAPI 3.1 document, read at the first call. */
export const document = once(() => read("openapi.json") as OpenApiDocument);

/** The document of the Envelope representation, read at the first call. */
export const envelopeDocument = once(() => read("openapi.envelope.json") as OpenApiDocument);

/** The document of the companion operations, read at the first call. */
export const companionDocument = once(() => read("companion.json") as OpenApiDocument);

/** The companion document of the Envelope representation, read at the first call. */
export const companionEnvelopeDocument = once(
  () => read("companion.envelope.json") as OpenApiDocument,
);

/** The document of the control plane for tests, read at the first call. */
export const controlDocument = once(() => read("control.json") as OpenApiDocument);

/** The operations of the control plane; read at the first call. */
export const controlOperations = once(
  () => read("control-operations.json") as readonly Operation[],
);

/** Both documents in one, for code that treats all operations alike. */
export const completeDocument = once(() => mergeDocuments(document(), companionDocument()));

/** Like `completeDocument`, in the Envelope representation. */
export const completeEnvelopeDocument = once(() =>
  mergeDocuments(envelopeDocument(), companionEnvelopeDocument()),
);

/** Every operation of both documents, sorted by path and method; read at the first call. */
export const operations = once(() => read("operations.json") as readonly Operation[]);

/** Both documents reduced for servers, a tenth of the size; read at the first call. */
export const servedDocument = once(() => read("served.json") as ServedDocument);

/** Both documents reduced for callers by name; read at the first call. */
export const calledDocument = once(() => read("called.json") as CalledDocument);

/** The names of all operations, for lists and suggestions; read at the first call. */
export const methodIndex = once(() => read("methods.json") as readonly MethodEntry[]);

/**
 * The departures of the document from the written specification, by collection; `shared` for several
 * collections.
 */
export const errata = once(
  () => read("errata.json") as Readonly<Record<string, readonly Erratum[]>>,
);

/** The request and response types of every operation, from openapi-typescript. */
export interface operations extends OperationTypes {}

/** JSON Schemas of the lines of import files, by kind; read at the first call. */
export const importSchemas = once(
  () => read("import-schemas.json") as Readonly<Record<string, JsonSchema>>,
);

/** The GraphQL schema of post_graphql as SDL, read at the first call. */
export const identityGraphqlSchema = once(() => read("identity-graphql.json") as string);

const byId = once(
  () => new Map(operations().map((operation) => [operation.id as string, operation])),
);

/** The operation with this id; undefined for an unknown id. */
export function operationById(id: OperationId): Operation;
export function operationById(id: string): Operation | undefined;
export function operationById(id: string): Operation | undefined {
  return byId().get(id);
}
