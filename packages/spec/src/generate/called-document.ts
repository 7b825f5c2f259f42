import type { CalledDocument, CalledOperation, MethodEntry } from "../called-operation.ts";
import type { JsonSchema, OpenApiDocument } from "../document.ts";
import type { Operation } from "../operation.ts";
import { requireSame } from "../merge-documents.ts";
import { withoutKeywords } from "./without-keywords.ts";

/** The document reduced to what people need who call it by name: with texts, without responses. */
export function calledDocument(
  document: OpenApiDocument,
  operations: readonly Operation[],
): Omit<CalledDocument, "control"> {
  const used = new Set<string>();
  const called = operations.map((operation) => ({
    ...calledOperation(operation),
    ...waitOf(operation, operations),
  }));
  const schemas = document.components.schemas;
  // Without the schemas that only responses have.
  const follow = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { $ref } = value as JsonSchema;
    const name = typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : undefined;
    if (name !== undefined && !used.has(name)) {
      used.add(name);
      follow(schemas[name]);
    }
    for (const member of Object.values(value)) follow(member);
  };
  for (const { parameters, requestBody } of called) {
    follow(parameters.map(({ schema }) => schema));
    follow(requestBody?.schema);
  }
  return {
    operations: called,
    schemas: Object.fromEntries(
      [...used].map((name) => [name, withoutKeywords(schemas[name], unused)]),
    ),
  };
}

/**
 * The called document of the API, with the operations of the control plane. Throws if both describe a schema of one
 * name differently.
 */
export function withControl(
  { operations, schemas }: Omit<CalledDocument, "control">,
  control: Omit<CalledDocument, "control">,
): CalledDocument {
  requireSame("schemas", schemas, control.schemas);
  return {
    operations,
    control: control.operations.map((operation) => ({ ...operation, collection: "dev" })),
    schemas: { ...control.schemas, ...schemas },
  };
}

/** The names of all methods, for lists and suggestions. */
export const methodIndex = (operations: readonly Operation[]): readonly MethodEntry[] =>
  operations.map(({ id, collection, tag, methodName, summary, deprecated }) => ({
    id,
    collection,
    tag,
    methodName,
    summary,
    ...(deprecated ? { deprecated } : {}),
  }));

/** Keywords that callers do not need. */
const unused: ReadonlySet<string> = new Set(["example", "examples", "x-fql", "x-fql-tables"]);

function calledOperation(operation: Operation): CalledOperation {
  const { id, method, path, collection, methodName, summary, description } = operation;
  const { scope, answer, paging, replacedBy, requestBody } = operation;
  return {
    id,
    method,
    path,
    collection,
    methodName,
    summary,
    description,
    scope,
    answer,
    paging,
    ...(replacedBy === undefined ? {} : { replacedBy }),
    parameters: operation.parameters.map(
      ({ name, in: place, required, description: text, schema, example }) => ({
        name,
        in: place,
        required,
        description: text,
        schema: withoutKeywords(schema, unused),
        ...(example === undefined ? {} : { example }),
      }),
    ),
    ...(requestBody === undefined ? {} : { requestBody: calledBody(requestBody) }),
  };
}

function waitOf(
  { id }: Operation,
  operations: readonly Operation[],
): Pick<CalledOperation, "wait"> {
  const reader = operations.find(
    (each) => each.wait !== undefined && [each.id, ...each.wait.startedBy].includes(id),
  );
  if (reader?.wait === undefined) return {};
  const { methodName, state, done } = reader.wait;
  return { wait: { methodName, state, done, readBy: reader.id } };
}

function calledBody({ required, content }: NonNullable<Operation["requestBody"]>) {
  // Every operation has one media type.
  const [[mediaType, { schema, examples }] = ["", { schema: {}, examples: {} }]] =
    Object.entries(content);
  const [example] = Object.values(examples);
  return {
    required,
    mediaType,
    schema: withoutKeywords(schema, unused),
    ...(example === undefined ? {} : { example: example.value }),
  };
}
