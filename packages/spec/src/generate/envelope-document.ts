import type { Example, JsonSchema, MediaType, OpenApiDocument } from "../document.ts";
import { compatQuirks, clientHeaders, type CompatQuirks } from "../existing-clients.ts";
import type { Operation } from "../operation.ts";

/**
 * A server for existing clients sends the Envelope as plain JSON; the other media type is for requests that
 * name it.
 */
const mediaTypes = ["application/json", "application/vnd.security-platform.envelope+json"] as const;

const exampleMeta = {
  query_time: 0.0012,
  powered_by: "security-platform",
  trace_id: "7b1c9a52-4e1d-4f0a-9a53-2f6f0c8f5f10",
};

type Node = Record<string, unknown>;

/**
 * The document for the Envelope representation: every success is `{meta, resources, errors}`, except for
 * operations whose clients read an object at the top level. Each operation has a named schema, because
 * generators need names.
 */
export function envelopeDocument(
  document: OpenApiDocument,
  operations: readonly Operation[],
): OpenApiDocument {
  const copy = structuredClone(document) as unknown as {
    info: Node;
    paths: Record<string, Record<string, Node>>;
    components: { schemas: Record<string, JsonSchema>; examples?: Node };
  };
  copy.info["title"] = `${document.info.title} (Envelope representation)`;
  for (const operation of operations) {
    const responses = copy.paths[operation.path]?.[operation.method]?.["responses"] as Node;
    const success = responses[String(operation.successStatus)] as Success;
    const media = documented(operation);
    if (media === undefined) continue;
    success.headers = { ...success.headers, ...headersFor(operation) };
    const name = schemaName(operation.id);
    copy.components.schemas[name] = envelopeSchema(
      operation,
      media.schema,
      document.components.schemas,
    );
    const content = {
      schema: { $ref: `#/components/schemas/${name}` },
      examples: Object.fromEntries(
        Object.entries(media.examples).map(([key, example]) => [
          key,
          envelopeExample(operation, example),
        ]),
      ),
    };
    success.content = Object.fromEntries(mediaTypes.map((type) => [type, content]));
    const { plain, successStatus } = compatQuirks(operation);
    if (plain !== undefined) {
      const plainName = `${schemaName(operation.id)}Plain`;
      copy.components.schemas[plainName] = plainSchema(
        operation,
        plain,
        copy.components.schemas[name],
      );
      success.content[mediaTypes[0]] = {
        schema: { $ref: `#/components/schemas/${plainName}` },
        examples: Object.fromEntries(
          Object.entries(media.examples).map(([key, { value }]) => [
            key,
            { value: plainExample(operation, value, plain) },
          ]),
        ),
      };
    }
    if (successStatus !== undefined) addStatus(responses, operation, successStatus);
  }
  dropUnused(copy);
  return copy as unknown as OpenApiDocument;
}

interface Success {
  content?: Node;
  headers?: Node;
}

/** Headers that only a server with `serve --compat` sends. Only bodies in JSON have ignored members. */
const headersFor = ({ requestBody }: Operation): Node =>
  Object.fromEntries(
    Object.entries(clientHeaders).filter(
      ([name]) =>
        name !== "X-Ignored-Members" || "application/json" in (requestBody?.content ?? {}),
    ),
  );

/** Adds the status of a success with `serve --compat`. The documented status remains for other servers. */
function addStatus(responses: Node, { successStatus }: Operation, ofClients: number): void {
  const documented = responses[String(successStatus)] as { description: string; content: Node };
  const description = `${documented.description} The status with \`serve --compat\`.`;
  responses[String(ofClients)] = { ...documented, description };
  const [, ofEnvelopes] = mediaTypes;
  documented.content = { [ofEnvelopes]: documented.content[ofEnvelopes] };
}

/** `indicator.search.v1` → `IndicatorSearchV1Envelope`. */
export const schemaName = (operationId: string): string =>
  operationId
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("") + "Envelope";

const documented = ({ responses, successStatus }: Operation): MediaType | undefined =>
  responses.find(({ status }) => status === successStatus)?.content["application/json"];

function envelopeSchema(
  operation: Operation,
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const { id, answer } = operation;
  if (answer === "envelope") {
    // Not an `allOf` with a reference: openapi-python-client would drop Envelope itself.
    const name = String(schema["$ref"]).split("/").at(-1) ?? "";
    return { ...schemas[name], required: ["meta", "resources", "errors"] };
  }
  const { object, missing } = compatQuirks(operation);
  if (object === "top-level") return { allOf: [schema] };
  const resources =
    answer === "object" && object === undefined
      ? { type: "array", minItems: 1, maxItems: 1, items: schema }
      : schema;
  const entries = { type: "array", items: { $ref: "#/components/schemas/EnvelopeError" } };
  const { recordDefaults } = compatQuirks(operation);
  return {
    description: `The response of ${id} in an Envelope.${offsetSentence(operation)}`,
    type: "object",
    required: ["meta", "resources", "errors"],
    properties: {
      meta: metaSchema(operation, schemas),
      resources:
        recordDefaults === undefined ? resources : withDefaults(resources, schemas, recordDefaults),
      errors:
        missing === "success"
          ? {
              description:
                "With `serve --compat`, one entry with code 404 for each missing record.",
              maxItems: 2001,
              ...entries,
            }
          : { description: "Empty.", maxItems: 0, ...entries },
    },
  };
}

/** The list with records whose members are never absent: the documented value, or the default. */
function withDefaults(
  list: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  defaults: Readonly<Record<string, object>>,
): JsonSchema {
  const { $ref: reference } = list["items"] as { readonly $ref: string };
  const record = schemas[reference.split("/").at(-1) ?? ""];
  const members = record?.["properties"] as Readonly<Record<string, JsonSchema>>;
  const complete = Object.entries(defaults).map(([name, value]) => {
    const alternatives = { anyOf: [{ $ref: members[name]?.["$ref"] }, unknownSchema(value)] };
    return [name, { description: members[name]?.["description"], ...alternatives }];
  });
  return {
    ...list,
    items: {
      ...record,
      required: [...((record?.["required"] ?? []) as readonly string[]), ...Object.keys(defaults)],
      properties: { ...members, ...Object.fromEntries(complete) },
    },
  };
}

/** An object whose texts are empty. */
const unknownSchema = (value: object): JsonSchema => ({
  type: "object",
  required: Object.keys(value),
  properties: Object.fromEntries(
    Object.keys(value).map((name) => [name, { type: "string", maxLength: 0 }]),
  ),
});

/** Page data of the operations whose clients read the next cursor from `offset`. */
const cursorPagination: JsonSchema = {
  description: "Page data.",
  type: "object",
  required: ["limit", "offset", "total"],
  properties: {
    limit: { description: "The effective page size.", type: "integer", minimum: 1 },
    offset: {
      description: "The cursor of the next page; empty on the last page.",
      type: "string",
      maxLength: 4096,
    },
    total: {
      description: "Total number of matching records when the first page was requested.",
      type: "integer",
      minimum: 0,
    },
    expires_at: {
      description:
        "The time until which the cursor is valid, in Unix nanoseconds; absent on the last page.",
      type: "integer",
      format: "int64",
    },
  },
};

/** Page data of the operations whose clients read positions as texts. */
function textPagination({
  EnvelopePagination: pagination,
}: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const offset = {
    description: "Position after the page, when paging by offset.",
    type: "string",
    pattern: "^\\d{1,16}$",
  };
  return { ...pagination, properties: { ...(pagination?.["properties"] as Node), offset } };
}

function metaSchema(
  operation: Operation,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const { EnvelopeMeta: meta } = schemas;
  const { offset } = compatQuirks(operation);
  if (offset !== "cursor" && offset !== "after-page-text") {
    return { $ref: "#/components/schemas/EnvelopeMeta" };
  }
  const pagination = offset === "cursor" ? cursorPagination : textPagination(schemas);
  return { ...meta, properties: { ...(meta?.["properties"] as Node), pagination } };
}

type Plain = NonNullable<CompatQuirks["plain"]>;

/** The plain JSON for existing clients, if it is not the Envelope of the other media type. */
function plainSchema({ id }: Operation, plain: Plain, envelope: JsonSchema): JsonSchema {
  const description = `The response of ${id} with \`serve --compat\` as plain JSON.`;
  if (plain === "empty-text") return { description, type: "string", maxLength: 0 };
  if (plain === "both-names") {
    const { required = [], properties = {} } = envelope as {
      readonly required?: readonly string[];
      readonly properties?: Node;
    };
    return {
      ...envelope,
      description: `${description} The list has two names.`,
      required: [...required, "Resources"],
      properties: { ...properties, Resources: properties["resources"] },
    };
  }
  return {
    description,
    type: "object",
    required: ["meta", "resources", "errors"],
    properties: {
      meta: { $ref: "#/components/schemas/EnvelopeMeta" },
      resources: { type: "array", maxItems: 1_000, items: { type: "string", maxLength: 255 } },
      errors: {
        type: "array",
        maxItems: 0,
        items: { $ref: "#/components/schemas/EnvelopeError" },
      },
    },
  };
}

function plainExample(operation: Operation, value: unknown, plain: Plain): unknown {
  if (plain === "empty-text") return "";
  if (plain === "both-names") {
    return { ...(wrapped(operation, value) as Node), Resources: value };
  }
  const { resources, ...others } = value as { readonly resources: Node };
  return { ...others, resources: resources[plain.member] };
}

function offsetSentence(operation: Operation): string {
  if (operation.paging === "none" || !compatQuirks(operation).offset?.startsWith("after-page")) {
    return "";
  }
  return " `meta.pagination.offset` is the position after the page.";
}

function envelopeExample(operation: Operation, { summary, value }: Example): Example {
  return {
    ...(summary === undefined ? {} : { summary }),
    value: wrapped(operation, value),
  };
}

function wrapped(operation: Operation, value: unknown): unknown {
  const { object, recordDefaults } = compatQuirks(operation);
  if (operation.answer === "envelope" || object === "top-level") return value;
  if (recordDefaults !== undefined) {
    const resources = (value as readonly object[]).map((each) => ({ ...recordDefaults, ...each }));
    return { meta: exampleMeta, resources, errors: [] };
  }
  const resources = operation.answer === "object" && object === undefined ? [value] : value;
  return { meta: exampleMeta, resources, errors: [] };
}

/** Removes the examples of the unwrapped bodies, which are no longer referenced. */
function dropUnused(document: { components: { examples?: Node } }): void {
  const { examples } = document.components;
  if (examples === undefined) return;
  const text = JSON.stringify(document);
  for (const name of Object.keys(examples)) {
    if (!text.includes(`"#/components/examples/${name}"`)) delete examples[name];
  }
}
