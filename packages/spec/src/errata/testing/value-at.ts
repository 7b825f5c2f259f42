import type { JsonSchema, OpenApiDocument } from "../../document.ts";
import type { FqlTable } from "../../fql-table.ts";
import { resolve } from "../../references.ts";
import type { Operation } from "../../operation.ts";

interface Sources {
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  readonly tables: Readonly<Record<string, FqlTable>>;
}

/**
 * The value at a place in the document and a path below it; undefined if there is none. A place is an
 * operation id, a component (`schemas/User`), a filter table (`fql/users`), or `document`. The segments of
 * a path are separated by `/`, and references are followed. An operation has the members of `Operation`,
 * and `body` and `result`: the schemas of its request and of its success. A segment in a list is an index,
 * a name or a status. `properties` of a schema may be omitted.
 */
export function valueAt(sources: Sources, place: string, at: string): unknown {
  let value = placeOf(sources, place);
  for (const step of at.split("/").filter(Boolean)) value = stepInto(sources, value, step);
  return resolved(sources.document, value);
}

/** The object at a place; undefined if there is none. */
export function placeOf(sources: Sources, place: string): unknown {
  const { document, operations, tables } = sources;
  if (place === "document") return document;
  const operation = operations.find(({ id }) => id === place);
  if (operation !== undefined) return { ...operation, ...schemasOf(operation) };
  const [kind = "", ...name] = place.split("/");
  return kind === "fql" ? tables[name.join("/")] : document.components[kind]?.[name.join("/")];
}

function schemasOf({ requestBody, responses, successStatus }: Operation) {
  const success = responses.find(({ status }) => status === successStatus);
  return {
    body: Object.values(requestBody?.content ?? {})[0]?.schema,
    result: Object.values(success?.content ?? {})[0]?.schema,
  };
}

function stepInto(sources: Sources, from: unknown, step: string): unknown {
  const value = resolved(sources.document, from);
  if (Array.isArray(value)) {
    return value.find(
      (each: { readonly name?: unknown; readonly status?: unknown }, index) =>
        String(each.name) === step || String(each.status) === step || String(index) === step,
    );
  }
  if (value === null || typeof value !== "object") return undefined;
  const schema = value as JsonSchema;
  if (step in schema) return schema[step];
  const properties = schema["properties"] as JsonSchema | undefined;
  if (properties !== undefined && step in properties) return properties[step];
  for (const keyword of ["allOf", "oneOf", "anyOf"]) {
    for (const part of (schema[keyword] as readonly unknown[] | undefined) ?? []) {
      const member = stepInto(sources, part, step);
      if (member !== undefined) return member;
    }
  }
  return undefined;
}

const resolved = (document: OpenApiDocument, value: unknown): unknown =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? resolve(document, value)
    : value;
