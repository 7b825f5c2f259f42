import type { CalledOperation, JsonSchema } from "@security-platform/spec";
import { operationOf } from "../../calls/operations.ts";
import { hasType, isScalar, resolved } from "../../calls/schema.ts";
import type { FileSchema, Kind } from "./kind.ts";

/** What the operations of a kind accept. */
export interface KindSchemas {
  /** The members of a record in a file. */
  readonly file: FileSchema;
  /** The members that a new record can have. */
  readonly created: ReadonlySet<string>;
  /** The members that can change. */
  readonly updated: ReadonlySet<string>;
}

const schemasByKind = new Map<Kind, KindSchemas>();

/** Derived from the requests that create and update a record. */
export function schemasOf(kind: Kind): KindSchemas {
  const cachedSchemas = schemasByKind.get(kind);
  if (cachedSchemas !== undefined) return cachedSchemas;
  const schemas = readSchemas(kind);
  schemasByKind.set(kind, schemas);
  return schemas;
}

function readSchemas(kind: Kind): KindSchemas {
  if (kind.create === undefined) {
    return { file: { type: "object" }, created: new Set(), updated: new Set() };
  }
  const creation = operationOf(kind.create);
  const created = membersOf(kind, creation);
  const updated = kind.update === undefined ? undefined : membersOf(kind, operationOf(kind.update));
  const properties: Record<string, FileSchema> = {
    ...keyParameters(kind, creation),
    ...created.properties,
    ...updated?.properties,
  };
  for (const [name, { schema }] of Object.entries(kind.members ?? {})) {
    const inFiles = schema?.(properties[name] ?? {}) ?? properties[name];
    if (inFiles !== undefined) properties[name] = referring(kind, inFiles, name);
  }
  return {
    file: {
      type: "object",
      additionalProperties: false,
      properties,
      required: [...new Set([...kind.key, ...(created.required ?? [])])],
    },
    created: new Set([...kind.key, ...Object.keys(created.properties ?? {})]),
    updated: new Set(Object.keys(updated?.properties ?? created.properties ?? {})),
  };
}

/** The members of a kind's key that requests have as parameters, not in the body. */
const keyParameters = (kind: Kind, { parameters }: CalledOperation) =>
  Object.fromEntries(
    parameters
      .filter(({ name }) => kind.key.includes(name))
      .map(({ name, schema }) => [name, complete(kind, schema, name)]),
  );

/** The schema of a record in the body of a request. */
function membersOf(kind: Kind, { requestBody }: CalledOperation): FileSchema {
  const body = resolved(requestBody?.schema);
  const list = recordList(body);
  const record = list === undefined ? body : resolved(resolved(list.schema).items);
  const { [kind.id ?? "id"]: _id, ...properties } =
    complete(kind, record as JsonSchema, "").properties ?? {};
  const required = (record.required ?? []).filter((name) => Object.hasOwn(properties, name));
  return { properties, required };
}

/** The only member of a body that contains records: `resources`, `exclusions` … */
export function recordList({
  properties = {},
}: Pick<FileSchema, "properties">):
  { readonly name: string; readonly schema: JsonSchema } | undefined {
  const [first, ...others] = Object.entries(properties);
  if (first === undefined || others.length > 0) return undefined;
  const [name, schema] = first;
  const { items } = resolved(schema as JsonSchema);
  return items !== undefined && !isScalar(resolved(items))
    ? { name, schema: schema as JsonSchema }
    : undefined;
}

/** The schema without references to others and without omitted members. `path`: `rules.*.web_locations`. */
function complete(kind: Kind, reference: JsonSchema, path: string): FileSchema {
  const { items, properties, oneOf, format, ...schema } = resolved(reference);
  const inner = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const kept = Object.entries(properties ?? {}).filter(
    ([name]) => !(kind.omitted ?? []).includes(inner(name)) && !isEntryId(kind, path, name),
  );
  return referring(
    kind,
    {
      ...schema,
      // A text may be a variable, whose value has the format.
      ...(format === "password" ? { format } : {}),
      ...(oneOf === undefined ? {} : { oneOf: oneOf.map((each) => complete(kind, each, path)) }),
      ...(items === undefined ? {} : { items: complete(kind, items, inner("*")) }),
      ...(properties === undefined
        ? {}
        : {
            properties: Object.fromEntries(
              kept.map(([name, member]) => [name, complete(kind, member, inner(name))]),
            ),
          }),
    },
    path,
  );
}

const isEntryId = ({ entries = {} }: Kind, path: string, name: string): boolean =>
  name === "id" && path.endsWith(".*") && Object.hasOwn(entries, path.slice(0, -2));

/** Marks references and lists with identified entries. */
function referring(kind: Kind, schema: FileSchema, path: string): FileSchema {
  const { references = {}, entries = {} } = kind;
  const reference = references[path];
  if (reference !== undefined) {
    const { pattern: _pattern, enum: _enum, ...rest } = schema;
    const type = hasType(schema, "null") ? ["string", "null"] : "string";
    return { ...rest, type, minLength: 1, maxLength: 256, "x-reference": reference };
  }
  const inItems = references[`${path}.*`];
  if (inItems !== undefined && schema.items?.["x-reference"] === undefined) {
    return { ...schema, items: referring(kind, schema.items ?? {}, `${path}.*`) };
  }
  return Object.hasOwn(entries, path)
    ? { ...schema, "x-entry-key": entries[path] ?? null }
    : schema;
}
