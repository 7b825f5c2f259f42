import type { JsonSchema, OpenApiDocument } from "../document.ts";
import type { Operation, ServedDocument, ServedOperation } from "../operation.ts";
import { withoutKeywords } from "./without-keywords.ts";

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
    ranges: documents(operation, 206),
    // Absent if false, because pages download the document.
    ...(documents(operation, 507) ? { addsRecords: true } : {}),
  };
}

const documents = ({ responses }: Operation, status: number): boolean =>
  responses.some((response) => response.status === status);

/** Keywords for readers, which validators ignore. */
const words: ReadonlySet<string> = new Set([
  "description",
  "example",
  "examples",
  "x-fql",
  "x-fql-tables",
]);

const bare = (schema: unknown): JsonSchema => withoutKeywords(schema, words);
