/** Generates src/generated from the document: data and types, no behaviour. */
import { mkdirSync, writeFileSync } from "node:fs";
import {
  clientHabits,
  completeDocument,
  fqlTables,
  operations,
  type Operation,
} from "@security-platform/spec";
import type { AnswerKind, Operation as TableEntry } from "../src/operation.ts";
import { everyOperationModule } from "./every-operation.ts";
import { bodyUses, queryUses } from "./fql-uses.ts";

const folder = new URL("../src/generated/", import.meta.url);

function write(name: string, ...parts: readonly string[]): void {
  const head = "// Generated from the OpenAPI document by `npm run generate`.\n";
  writeFileSync(new URL(name, folder), [head, ...parts].join("\n"));
}

const sorted = operations().toSorted((left, right) => (left.id < right.id ? -1 : 1));

/** `user-management` → `userManagement`: the name of the client's property for a collection. */
const camelCase = (text: string): string =>
  text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const pascalCase = (text: string): string => camelCase(`-${text}`);

function tableEntry(operation: Operation): TableEntry {
  return {
    id: operation.id,
    method: operation.method.toUpperCase(),
    path: operation.path,
    collection: camelCase(operation.collection),
    name: operation.methodName,
    token: operation.scope !== null,
    readOnly: isReadOnly(operation),
    headers: operation.parameters.flatMap(({ name, in: place }) =>
      place === "header" ? [name] : [],
    ),
    bodyType: Object.keys(operation.requestBody?.content ?? {})[0] ?? null,
    successStatus: operation.successStatus,
    answer: answerKind(operation),
    accept: acceptOf(operation),
    paging: operation.paging,
    cursorParameter: operation.cursorParameter ?? null,
    fql: { query: queryUses(operation), body: bodyUses(operation) },
  };
}

/** A read scope never changes anything, whatever the method. */
const isReadOnly = ({ method, scope }: Operation): boolean =>
  method === "get" || method === "head" || scope?.endsWith(":read") === true;

/**
 * Files have their own media type. The plain JSON of a server for existing clients differs for some
 * operations.
 */
function acceptOf(operation: Operation): string | null {
  if (answerKind(operation) === "file") return "*/*";
  return clientHabits(operation).plain === undefined ? null : envelopeMediaType;
}

const envelopeMediaType = "application/vnd.security-platform.envelope+json";

function answerKind({ answer, responses, successStatus, id }: Operation): AnswerKind {
  const success = responses.find(({ status }) => status === successStatus);
  const [media] = Object.entries(success?.content ?? {});
  if (media === undefined) return "none";
  const [mediaType, { schema }] = media;
  if (mediaType !== "application/json") return "file";
  if (answer === "envelope") return "envelope";
  const { type } = resolve(schema);
  if (type === "array") return "list";
  if (type === "object") return "object";
  throw new Error(`${id} returns neither a list nor an object`);
}

function resolve(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema["$ref"]))?.[1];
  return name === undefined ? schema : resolve(completeDocument().components.schemas[name] ?? {});
}

function methodDocs(operation: Operation): string {
  const { id, method, path, summary, description, scope, deprecated, replacedBy } = operation;
  const lines = [
    `${summary}.`,
    "",
    ...description.trim().split("\n"),
    "",
    `Operation \`${id}\`: ${method.toUpperCase()} ${path}` +
      (scope ? `; scope \`${scope}\`.` : "."),
    ...(deprecated ? [`@deprecated${replacedBy ? ` Use \`${replacedBy}\`.` : ""}`] : []),
  ];
  return lines.map((line) => `   * ${line.replaceAll("*/", "* /")}`.trimEnd()).join("\n");
}

function collectionInterface(collection: string, members: readonly Operation[]): string {
  const methods = members.map((operation) => {
    const id = JSON.stringify(operation.id);
    const { methodName } = operation;
    return `  /**\n${methodDocs(operation)}\n   */\n  readonly ${methodName}: Method<${id}>;\n`;
  });
  const docs = `/** The operations of ${members[0]?.tag ?? collection}. */\n`;
  return `${docs}export interface ${pascalCase(collection)}Methods {\n${methods.join("\n")}}\n`;
}

mkdirSync(folder, { recursive: true });

const scopes = [...new Set(sorted.flatMap(({ scope }) => scope ?? []))].toSorted();
write(
  "scopes.ts",
  "/** A permission of a token. */",
  `export type Scope =\n${scopes.map((scope) => `  | ${JSON.stringify(scope)}`).join("\n")};\n`,
);

const table = Object.fromEntries(
  sorted.map((operation) => [operation.id, tableEntry(operation)] as const),
);
write(
  "operations.ts",
  `import type { OperationId } from "@security-platform/spec";`,
  `import type { Operation } from "../operation.ts";\n`,
  `export const operationTable = ${JSON.stringify(table, null, 2)} as const satisfies {`,
  `  readonly [Id in OperationId]: Operation;\n};\n`,
  "export type OperationTable = typeof operationTable;\n",
);

const collections = Map.groupBy(sorted, ({ collection }) => collection);
const properties = [...collections.keys()].map(
  (collection) => `  readonly ${camelCase(collection)}: ${pascalCase(collection)}Methods;\n`,
);
write(
  "collections.ts",
  `import type { Method } from "../types.ts";\n`,
  ...[...collections].map(([collection, members]) => collectionInterface(collection, members)),
  "/** Every collection by its property of the client. */",
  `export interface Collections {\n${properties.join("")}}\n`,
);

write(
  "resources.ts",
  "/** Resources that can be filtered and sorted. */",
  `export const resources = ${JSON.stringify(Object.keys(fqlTables), null, 2)} as const;\n`,
);

write("every-operation.ts", everyOperationModule(sorted, table));
