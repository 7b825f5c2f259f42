import type { JsonSchema, OpenApiDocument } from "../document.ts";
import type { Operation, ServedDocument, ServedOperation } from "../operation.ts";

/** The document reduced to what a server needs: a tenth of its size, to save memory. */
export function servedDocument(
  document: OpenApiDocument,
  operations: readonly Operation[],
): ServedDocument {
  return {
    operations: operations.map(servedOperation),
    schemas: Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [name, bare(schema)]),
    ),
  };
}

function servedOperation(operation: Operation): ServedOperation {
  const { id, document, method, path, collection, scope, successStatus, answer, requestBody } =
    operation;
  const { deprecatedAt, replacedBy, cursorParameter } = operation;
  const success = operation.responses.find(({ status }) => status === successStatus);
  return {
    id,
    document,
    method,
    path,
    collection,
    scope,
    successStatus,
    answer,
    ...(deprecatedAt === undefined ? {} : { deprecatedAt }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
    ...(cursorParameter === undefined ? {} : { cursorParameter }),
    parameters: operation.parameters.map(({ name, in: place, required, schema }) => ({
      name,
      in: place,
      required,
      schema: bare(schema),
    })),
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            required: requestBody.required,
            content: Object.fromEntries(
              Object.entries(requestBody.content).map(([type, { schema }]) => [type, bare(schema)]),
            ),
          },
        }),
    answersAs: Object.keys(success?.content ?? {}),
    ranges: operation.responses.some(({ status }) => status === 206),
  };
}

/** Keywords for readers, which validators ignore. */
const words: ReadonlySet<string> = new Set([
  "description",
  "example",
  "examples",
  "x-fql",
  "x-fql-tables",
]);
const holdsSchema: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
const holdsList: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const holdsMap: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
]);

/** Removes texts from a schema; a member named `description` is not a keyword and is kept. */
function bare(schema: unknown): JsonSchema {
  if (schema === null || typeof schema !== "object") return schema as JsonSchema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !words.has(keyword))
      .map(([keyword, value]: [string, unknown]) => {
        if (holdsSchema.has(keyword)) return [keyword, bare(value)];
        if (holdsList.has(keyword)) return [keyword, (value as readonly unknown[]).map(bare)];
        if (!holdsMap.has(keyword)) return [keyword, value];
        const members = Object.entries(value as object).map(([name, member]) => [
          name,
          bare(member),
        ]);
        return [keyword, Object.fromEntries(members)];
      }),
  );
}
