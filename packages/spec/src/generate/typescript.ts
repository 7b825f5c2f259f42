import openapiTS, { astToString } from "openapi-typescript";
import type { OpenApiDocument } from "../document.ts";
import type { FqlTable } from "../fql-table.ts";
import type { Operation } from "../operation.ts";

/** Types of every path, operation and component. The only place that knows the tool which makes them. */
export async function typesModule(document: OpenApiDocument): Promise<string> {
  const nodes = await openapiTS(structuredClone(document) as never, {
    immutable: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return astToString(nodes);
}

/** The union of operation ids, and which query parameters a handler always gets. */
export function operationIdsModule(operations: readonly Operation[]): string {
  const ids = operations.map(({ id }) => id).toSorted();
  const defaults = operations
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ id, parameters }) => {
      const names = parameters
        .filter((parameter) => parameter.in === "query" && "default" in parameter.schema)
        .map(({ name }) => JSON.stringify(name));
      return `  ${JSON.stringify(id)}: ${names.join(" | ") || "never"};\n`;
    });
  return [
    `export type OperationId =\n${ids.map((id) => `  | ${JSON.stringify(id)}`).join("\n")};\n`,
    `/** Names of the query parameters that have a default. */\n`,
    `export interface QueryDefaults {\n${defaults.join("")}}\n`,
  ].join("\n");
}

/** The filter tables as a constant, so that types can be made of them. */
export function fqlTablesModule(tables: Readonly<Record<string, FqlTable>>): string {
  return [
    `import type { FqlTable } from "../fql-table.ts";\n`,
    `/** What can be filtered and sorted, by resource. */`,
    `export const fqlTables = ${JSON.stringify(tables, null, 2)} as const satisfies Readonly<Record<string, FqlTable>>;\n`,
  ].join("\n");
}
