import { fqlTables, type Operation, type Wait } from "@security-platform/spec";
import type { OperationTypes, TypeSource } from "../../spec/src/generate/typescript.ts";
import type { Field } from "@security-platform/fql";
import { descriptorOf, idsToRead, inputParameters } from "./descriptor.ts";
import { bodyUses, queryUses, type FqlUse } from "./fql-uses.ts";
import { comment, errorStatuses, methodDocs, waiterDocs } from "./method-docs.ts";
import { camelCase, pascalCase } from "./names.ts";

/** The source of one collection: its types, and one export for each operation. */
export interface CollectionModule {
  readonly collection: string;
  readonly text: string;
  /** Schemas that the text refers to. */
  readonly schemas: ReadonlySet<string>;
  /** Resources whose fields the text refers to. */
  readonly resources: ReadonlySet<string>;
}

/** The list operation that returns the ids for a get operation: `/queries/` instead of `/entities/`. */
export function idsOperation(
  operation: Operation,
  members: readonly Operation[],
): Operation | undefined {
  if (idsToRead(operation) === undefined) return undefined;
  const path = operation.path.replace("/entities/", "/queries/");
  const stem = (text: string): string => text.replace(/\/GET\//, "/").replace(/\/v\d+$/, "");
  const candidates = members.filter(
    (each) =>
      each !== operation &&
      each.paging !== "none" &&
      each.answer === "ids" &&
      each.path.includes("/queries/") &&
      stem(each.path) === stem(path),
  );
  return (
    candidates.find((each) => each.path === path) ?? candidates.find((each) => !each.deprecated)
  );
}

export function collectionModule(
  collection: string,
  members: readonly Operation[],
  types: Readonly<Record<string, OperationTypes>>,
): CollectionModule {
  const schemas = new Set<string>();
  const resources = new Set<string>();
  const use = ({ text, references }: TypeSource): string => {
    for (const name of references) schemas.add(name);
    return text;
  };
  const fqlType = ({ use: kind, resource }: FqlUse): string => {
    if (resource === null) {
      if (kind === "filter") return "string | Filter";
      return kind === "sort" ? "string | readonly string[]" : "string";
    }
    resources.add(resource);
    const name = pascalCase(resource);
    if (kind === "filter") return `string | FilterOf<${name}Fields>`;
    if (kind === "sort") return `${name}SortKey | readonly ${name}SortKey[]`;
    return `FilterableName<${name}Fields>`;
  };

  const parts = members.map((operation) => {
    const { id, methodName } = operation;
    const typesOf = types[id];
    if (typesOf === undefined) throw new Error(`${id} has no types`);
    const descriptor = descriptorOf(operation);
    const uses = queryUses(operation);
    const properties = inputParameters(operation).map(({ name, required, description }) => {
      const source = typesOf.parameters[name];
      if (source === undefined) throw new Error(`${id}: the parameter ${name} has no type`);
      const fql = uses[name];
      const type = fql === undefined ? use(source) : fqlType(fql);
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      const optional = required ? `${key}: ${type}` : `${key}?: ${type} | undefined`;
      return `${comment(description.trim().split("\n"))}\nreadonly ${optional};\n`;
    });
    const body = bodyType(operation, typesOf, use, fqlType);
    const bodyRequired = operation.requestBody?.required === true;
    if (body !== undefined) {
      properties.push(
        bodyRequired ? `readonly body: ${body};\n` : `readonly body?: ${body} | undefined;\n`,
      );
    }
    const inputName = `${pascalCase(methodName)}Input`;
    const required = bodyRequired || operation.parameters.some((each) => each.required);
    const input = properties.length === 0 ? "NoInput" : inputName;
    const args = `[input${required ? "" : "?"}: ${input}]`;
    const failures = errorStatuses(operation).join(" | ");
    const data = dataType(operation, typesOf, use);
    const item = /^readonly ([\w.]+)\[\]$/.exec(data)?.[1];
    const query = idsOperation(operation, members);
    const isGet = idsToRead(operation) !== undefined && item !== undefined;
    const list = isGet ? undefined : descriptor.list;
    const creator =
      descriptor.paging !== undefined
        ? "listOperation"
        : isGet
          ? "getOperation"
          : descriptor.body === "parts"
            ? "uploadOperation"
            : descriptor.answer === "file"
              ? "fileOperation"
              : list !== undefined
                ? "batchOperation"
                : descriptor.fql !== undefined || Object.keys(uses).length > 0
                  ? "fqlOperation"
                  : "operation";
    const get = `GetMethod<${args}, ${item}, ${failures}>`;
    const kind = descriptor.body === "parts" ? "UploadMethod" : "Method";
    const write =
      descriptor.answer === "file"
        ? `FileMethod<${args}, ${failures}>`
        : `${kind}<${args}, ${data}, ${failures}, ${item ?? "unknown"}>`;
    const [listName, , inBody] = list ?? [];
    const path = [inBody ?? [], listName ?? []].flat().map((name) => `[${JSON.stringify(name)}]`);
    const entry = `NonNullable<${inputName}${path.join("")}>[number]`;
    const batch = [args, entry, data, failures, item ?? "unknown"].concat(
      inBody === undefined ? [JSON.stringify(listName)] : [],
    );
    const type =
      descriptor.paging !== undefined
        ? `ListMethod<${args}, ${item ?? `(${data})[number]`}, ${failures}>`
        : !isGet
          ? list === undefined
            ? write
            : `BatchMethod<${batch.join(", ")}>`
          : query === undefined
            ? get
            : `MatchingGetMethod<${args}, ${pascalCase(query.methodName)}Input, ${item}, ${failures}>`;
    return {
      operation,
      query,
      creator,
      // The form `matching` is added in the collection; the operation alone is smaller.
      standalone: query === undefined ? undefined : get,
      input:
        properties.length === 0
          ? ""
          : `${comment([`The input of \`${methodName}\`.`])}\nexport interface ${inputName} {\n${properties.join("")}}\n`,
      item,
      member: `${methodDocs(operation, descriptor, waitOf(operation, members), data)}\nreadonly ${methodName}: ${type};\n`,
      descriptor,
    };
  });

  const methods = `${pascalCase(collection)}Methods`;
  const waits = parts.flatMap(({ operation, item }) =>
    operation.wait === undefined ? [] : [waiterOf(operation, operation.wait, methods, item)],
  );
  const tag = collection === "control" ? "the control plane" : (members[0]?.tag ?? collection);
  // In the order of their use in the collection, so that a minifier can put each one in its place. Those that
  // are used twice come first.
  const queries = new Set(parts.map(({ query }) => query?.methodName));
  const rank = ({ operation: { methodName } }: (typeof parts)[number]): string =>
    (queries.has(methodName) ? "0 " : "1 ") + methodName;
  const ordered = parts.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
  const constants = ordered.map(({ operation, creator, descriptor, standalone }) => {
    const { methodName, deprecated } = operation;
    const docs = [
      `${operation.summary}. See {@link ${methods}.${methodName}}.`,
      ...(deprecated ? ["@deprecated"] : []),
    ];
    const type = standalone ?? `${methods}["${methodName}"]`;
    const { path, id, method, ...more } = descriptor;
    const source = [path, id, method, ...(Object.keys(more).length === 0 ? [] : [more])];
    return (
      `${comment(docs)}\nexport const ${methodName}: Operation<${type}> =\n` +
      `  /* @__PURE__ */ ${creator}(${source.map((each) => JSON.stringify(each)).join(", ")});\n`
    );
  });
  const names = parts.map(({ operation: { methodName }, query }) =>
    query === undefined
      ? methodName
      : `${methodName}: /* @__PURE__ */ matching<${methods}["${methodName}"]>(${methodName}, ${query.methodName})`,
  );
  const text = [
    ...parts.map(({ input }) => input).filter((input) => input !== ""),
    `${comment([`The operations of ${tag}.`])}\nexport interface ${methods} {\n${[...parts, ...waits].map(({ member }) => member).join("\n")}}\n`,
    ...constants,
    ...waits.map(({ constant }) => constant),
    `${comment([`All operations of ${tag} for one connection.`])}\nexport const ${camelCase(collection)}: Collection<${methods}> = /* @__PURE__ */ collection({ ${[...names, ...waits.map(({ name }) => name)].toSorted().join(", ")} });\n`,
    resources.size === 0
      ? ""
      : `${comment([`Filter builders of ${tag}. An unknown field, operator or value does not compile.`])}\n` +
        `export const filters: {\n${[...resources]
          .toSorted()
          .map(
            (name) =>
              `  readonly ${JSON.stringify(name)}: FilterBuilder<${pascalCase(name)}Fields>;\n`,
          )
          .join(
            "",
          )}} = /* @__PURE__ */ filterBuilders(${JSON.stringify([...resources].toSorted())});\n`,
  ];
  return { collection, text: text.join("\n"), schemas, resources };
}

/** How to wait for the work that an operation starts. */
const waitOf = ({ id }: Operation, members: readonly Operation[]): Wait | undefined =>
  members.find(({ wait }) => wait?.startedBy.includes(id))?.wait;

/** The method that waits for work whose state this operation reads. */
function waiterOf(operation: Operation, wait: Wait, methods: string, item: string | undefined) {
  if (item === undefined) throw new Error(`${operation.id} waits, but returns no records`);
  const { methodName: name, state, done, failed, reason } = wait;
  const rule = { state, done, failed, ...(reason === undefined ? {} : { reason }) };
  return {
    name,
    member: `${waiterDocs(operation, wait)}\nreadonly ${name}: WaitMethod<${item}>;\n`,
    constant:
      `${comment([`Waits for the work of a record. See {@link ${methods}.${name}}.`])}\n` +
      `export const ${name}: Operation<${methods}["${name}"]> =\n` +
      `  /* @__PURE__ */ waiter(${operation.methodName}, ${JSON.stringify(rule)});\n`,
  };
}

function bodyType(
  operation: Operation,
  { body }: OperationTypes,
  use: (source: TypeSource) => string,
  fqlType: (fql: FqlUse) => string,
): string | undefined {
  const [media] = Object.entries(body);
  if (media === undefined) return undefined;
  const [mediaType, source] = media;
  if (mediaType === "multipart/form-data") return `WithFiles<${use(source)}> | FormData`;
  const uses = Object.entries(bodyUses(operation));
  if (uses.length === 0) return use(source);
  const members = uses.map(([name, fql]) => `readonly ${name}: ${fqlType(fql)}`);
  return `WithFql<${use(source)}, { ${members.join("; ")} }>`;
}

function dataType(
  { id, successStatus }: Operation,
  { responses }: OperationTypes,
  use: (source: TypeSource) => string,
): string {
  const content = responses[successStatus];
  if (content === undefined) throw new Error(`${id} has no types for ${successStatus}`);
  const [media] = Object.entries(content);
  if (media === undefined) return "undefined";
  const [mediaType, source] = media;
  return mediaType === "application/json" ? use(source) : "Blob";
}

/** The types of the fields of a resource, for filters and sort orders. */
export function fieldTypes(resource: string): string {
  const tables: Readonly<Record<string, { readonly fields: Readonly<Record<string, Field>> }>> =
    fqlTables;
  const fields = Object.entries(tables[resource]?.fields ?? {});
  const lines = fields.map(([name, { type, values, filterable }]) => {
    const members = [
      `readonly type: ${JSON.stringify(type)}`,
      ...(values === undefined
        ? []
        : [
            `readonly values: readonly [${values.map((value) => JSON.stringify(value)).join(", ")}]`,
          ]),
      ...(filterable === false ? ["readonly filterable: false"] : []),
    ];
    return `  readonly ${JSON.stringify(name)}: { ${members.join("; ")} };\n`;
  });
  const keys = fields
    .filter(([, { sortable }]) => sortable === true)
    .flatMap(([name]) => [name, `${name}.asc`, `${name}.desc`]);
  const name = pascalCase(resource);
  return [
    comment([`The fields of ${resource} in filters.`]),
    `export type ${name}Fields = {\n${lines.join("")}};\n`,
    comment([`A key of a sort order of ${resource}.`]),
    `export type ${name}SortKey = ${keys.length === 0 ? "never" : keys.map((key) => JSON.stringify(key)).join(" | ")};\n`,
  ].join("\n");
}
