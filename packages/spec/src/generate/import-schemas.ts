import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { JsonSchema, OpenApiDocument } from "../document.ts";

const documentPrefix = "../openapi.json#";
const componentPointer = /^#\/components\/schemas\/[^/]+$/;

/**
 * The schemas of import kinds: `spec/import/<kind>.json` with references into the document. A
 * reference to a part of a component is replaced by that part.
 */
export function importSchemas(
  root: string,
  document: OpenApiDocument,
): Readonly<Record<string, JsonSchema>> {
  const folder = join(root, "spec/import");
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted();
  return Object.fromEntries(
    files.map((name) => {
      const schema = JSON.parse(readFileSync(join(folder, name), "utf8")) as JsonSchema;
      return [basename(name, ".json"), resolved(schema, document) as JsonSchema];
    }),
  );
}

function resolved(schema: unknown, document: OpenApiDocument): unknown {
  if (Array.isArray(schema)) return schema.map((each) => resolved(each, document));
  if (schema === null || typeof schema !== "object") return schema;
  const { $ref: reference, ...siblings } = schema as JsonSchema;
  const rest = Object.entries(siblings).map(([key, value]) => [key, resolved(value, document)]);
  if (typeof reference !== "string" || !reference.startsWith(documentPrefix)) {
    return Object.fromEntries(reference === undefined ? rest : [["$ref", reference], ...rest]);
  }
  const pointer = reference.slice(documentPrefix.length - 1);
  if (componentPointer.test(pointer)) return Object.fromEntries([["$ref", pointer], ...rest]);
  return { ...partAt(pointer, document), ...Object.fromEntries(rest) };
}

function partAt(pointer: string, document: OpenApiDocument): JsonSchema {
  let part: unknown = document;
  for (const key of pointer.split("/").slice(1)) part = (part as JsonSchema | undefined)?.[key];
  if (part === undefined) throw new Error(`spec/import: the document has nothing at ${pointer}`);
  return part as JsonSchema;
}
