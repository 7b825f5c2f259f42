import { completeDocument, type JsonSchema, type Operation } from "@security-platform/spec";
import { resolve } from "./schema.ts";

/** One call of an operation for the samples, from the examples of the document. */
export interface SampleInput {
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: SampleBody | null;
}

export interface SampleBody {
  readonly mediaType: string;
  readonly value: unknown;
  /** Members that are files; only for an upload. */
  readonly files: readonly string[];
}

/**
 * Optional parameters that are useful in a first call; others would only make it longer. Some operations
 * need one of several parameters, such as identifiers or the name of an image.
 */
const usefulParameters = new Set(["filter", "sort", "limit", "ids", "repository", "tag"]);

/** Throws for a required parameter or body without an example, because the document must contain one. */
export function sampleInput(operation: Operation): SampleInput {
  const sections = { query: {}, path: {}, header: {} } as Record<string, Record<string, unknown>>;
  for (const { name, in: place, required, example } of operation.parameters) {
    if (!required && !usefulParameters.has(name)) continue;
    if (example === undefined) {
      if (!required) continue;
      throw new Error(`${operation.id}: the required parameter ${name} has no example`);
    }
    const section = sections[place];
    if (section !== undefined) section[name] = example;
  }
  return {
    query: sections["query"] ?? {},
    path: sections["path"] ?? {},
    headers: sections["header"] ?? {},
    body: sampleBody(operation),
  };
}

function sampleBody({ id, requestBody }: Operation): SampleBody | null {
  const [first] = Object.entries(requestBody?.content ?? {});
  if (first === undefined) return null;
  const [mediaType, { schema, examples }] = first;
  const [example] = Object.values(examples);
  if (example === undefined) throw new Error(`${id}: the ${mediaType} body has no example`);
  return { mediaType, value: example.value, files: filesIn(schema) };
}

export function filesIn(schema: JsonSchema): readonly string[] {
  const { properties } = resolve(schema, completeDocument().components.schemas);
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).flatMap(
    ([name, { format }]) => (format === "binary" ? [name] : []),
  );
}
