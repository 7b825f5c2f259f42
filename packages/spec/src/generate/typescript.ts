import openapiTS, { astToString } from "openapi-typescript";
import type { OpenApiDocument } from "../document.ts";
import type { FqlTable } from "../fql-table.ts";
import type { Operation } from "../operation.ts";
import { resolve } from "./references.ts";

/**
 * Types of all paths, operations and components. The only place that depends on their generator.
 */
export async function typesModule(document: OpenApiDocument): Promise<string> {
  const nodes = await openapiTS(withoutBareAlternatives(document) as never, {
    immutable: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return astToString(nodes);
}

/**
 * A copy without `anyOf` whose alternatives only require members. Types cannot express which of the members
 * is present, and the generator turns each alternative, and so the whole type, into `unknown`.
 */
function withoutBareAlternatives(document: OpenApiDocument): unknown {
  const isBare = (alternative: unknown): boolean =>
    typeof alternative === "object" &&
    alternative !== null &&
    Object.keys(alternative).every((name) => name === "required");
  return JSON.parse(
    JSON.stringify(document, (name, value: unknown) =>
      name === "anyOf" && Array.isArray(value) && value.every(isBare) ? undefined : value,
    ),
  );
}

/**
 * The union of operation ids, the query parameters with a default, and the members that are files.
 */
export function operationIdsModule(
  document: OpenApiDocument,
  operations: readonly Operation[],
): string {
  const ids = operations.map(({ id }) => id).toSorted();
  const defaults = operations
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ id, parameters }) => {
      const names = parameters
        .filter((parameter) => parameter.in === "query" && "default" in parameter.schema)
        .map(({ name }) => JSON.stringify(name));
      return `  ${JSON.stringify(id)}: ${names.join(" | ") || "never"};\n`;
    });
  const uploads = operations
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .flatMap((operation) => {
      const files = fileMembers(document, operation);
      if (files.length === 0) return [];
      const names = files.map((name) => JSON.stringify(name)).join(" | ");
      return `  ${JSON.stringify(operation.id)}: ${names};\n`;
    });
  return [
    `export type OperationId =\n${ids.map((id) => `  | ${JSON.stringify(id)}`).join("\n")};\n`,
    `/** Names of the query parameters that have a default. */\n`,
    `export interface QueryDefaults {\n${defaults.join("")}}\n`,
    `/** Names of the members of forms that are files. */\n`,
    `export interface UploadMembers {\n${uploads.join("")}}\n`,
  ].join("\n");
}

function fileMembers(document: OpenApiDocument, { requestBody }: Operation): readonly string[] {
  const form = requestBody?.content["multipart/form-data"];
  if (form === undefined) return [];
  const { properties } = resolve(document, form.schema);
  return Object.entries((properties ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([, member]) => resolve(document, member)["format"] === "binary")
    .map(([name]) => name);
}

/** The filter tables as a constant, so that types can be derived from it. */
export function fqlTablesModule(tables: Readonly<Record<string, FqlTable>>): string {
  return [
    `import type { FqlTable } from "../fql-table.ts";\n`,
    `/** The filter and sort fields by resource. */`,
    `export const fqlTables = ${JSON.stringify(tables, null, 2)} as const satisfies Readonly<Record<string, FqlTable>>;\n`,
  ].join("\n");
}
