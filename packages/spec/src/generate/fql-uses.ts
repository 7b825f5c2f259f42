import type { JsonSchema, OpenApiDocument } from "../document.ts";
import type { FqlTable, FqlUse } from "../fql-table.ts";
import { resolve } from "../references.ts";

/** An `x-fql` without its table of fields. */
export function fqlUse({ use, resource, of }: FqlUse): FqlUse {
  return resource === undefined ? { use, of } : { use, resource };
}

/** The members of a body that contain FQL, by dotted path. `[]` matches any item, `*` any name. */
export function bodyFql(
  document: OpenApiDocument,
  schema: JsonSchema,
  path = "",
  within: readonly JsonSchema[] = [],
): readonly (FqlUse & { readonly path: string })[] {
  const resolved = resolve(document, schema);
  if (within.includes(resolved)) return [];
  const deeper = [...within, resolved];
  const join = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const own = resolved["x-fql"] as FqlUse | undefined;
  const inner: readonly (readonly [string, unknown])[] = [
    ...Object.entries((resolved["properties"] ?? {}) as Record<string, unknown>).map(
      ([name, member]) => [join(name), member] as const,
    ),
    ...(resolved["items"] === undefined ? [] : [[`${path}[]`, resolved["items"]] as const]),
    ...(typeof resolved["additionalProperties"] === "object"
      ? [[join("*"), resolved["additionalProperties"]] as const]
      : []),
    ...["oneOf", "anyOf", "allOf"].flatMap((keyword) =>
      ((resolved[keyword] ?? []) as readonly unknown[]).map((part) => [path, part] as const),
    ),
  ];
  return [
    ...(own === undefined ? [] : [{ path, ...fqlUse(own) }]),
    ...inner.flatMap(([place, part]) => bodyFql(document, part as JsonSchema, place, deeper)),
  ];
}

/** Every filter table of the document, by resource. Throws if two tables of one resource differ. */
export function fqlTablesOf(document: OpenApiDocument): Readonly<Record<string, FqlTable>> {
  const tables = new Map<string, FqlTable>();
  const add = (resource: string, fields: FqlTable["fields"]): void => {
    const previous = tables.get(resource);
    if (previous !== undefined && JSON.stringify(previous.fields) !== JSON.stringify(fields)) {
      throw new Error(`two x-fql tables of ${resource} differ`);
    }
    tables.set(resource, { resource, fields });
  };
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "x-fql" && value.resource !== undefined) add(value.resource, value.fields);
      else if (key === "x-fql-tables") {
        for (const [resource, fields] of Object.entries(value)) {
          add(resource, fields as FqlTable["fields"]);
        }
      } else visit(value);
    }
  };
  visit(document);
  return Object.fromEntries([...tables].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
