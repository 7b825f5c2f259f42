import type { Example, JsonSchema, MediaType, OpenApiDocument } from "../document.ts";
import type { Operation } from "../operation.ts";

const mediaType = "application/vnd.security-platform.envelope+json";

const exampleMeta = {
  query_time: 0.0012,
  powered_by: "security-platform",
  trace_id: "7b1c9a52-4e1d-4f0a-9a53-2f6f0c8f5f10",
};

type Node = Record<string, unknown>;

/**
 * The same document for the Envelope representation: every success is `{meta, resources, errors}`,
 * with a named schema for each operation, because generators need names.
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
    const success = responses[String(operation.successStatus)] as { content?: Node };
    const media = documented(operation);
    if (media === undefined) continue;
    const name = schemaName(operation.id);
    copy.components.schemas[name] = envelopeSchema(operation, media.schema);
    success.content = {
      [mediaType]: {
        schema: { $ref: `#/components/schemas/${name}` },
        examples: Object.fromEntries(
          Object.entries(media.examples).map(([key, example]) => [
            key,
            envelopeExample(operation, example),
          ]),
        ),
      },
    };
  }
  dropUnused(copy);
  return copy as unknown as OpenApiDocument;
}

/** `indicator.search.v1` → `IndicatorSearchV1Envelope`. */
export const schemaName = (operationId: string): string =>
  operationId
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("") + "Envelope";

const documented = ({ responses, successStatus }: Operation): MediaType | undefined =>
  responses.find(({ status }) => status === successStatus)?.content["application/json"];

function envelopeSchema({ id, answer }: Operation, schema: JsonSchema): JsonSchema {
  if (answer === "envelope") {
    return { allOf: [schema], required: ["meta", "resources", "errors"] };
  }
  const resources =
    answer === "object" ? { type: "array", minItems: 1, maxItems: 1, items: schema } : schema;
  return {
    description: `The response of ${id} in an Envelope.`,
    type: "object",
    required: ["meta", "resources", "errors"],
    properties: {
      meta: { $ref: "#/components/schemas/EnvelopeMeta" },
      resources,
      errors: {
        description: "Empty.",
        type: "array",
        maxItems: 0,
        items: { $ref: "#/components/schemas/EnvelopeError" },
      },
    },
  };
}

function envelopeExample({ answer }: Operation, { summary, value }: Example): Example {
  const wrapped =
    answer === "envelope"
      ? value
      : {
          meta: exampleMeta,
          resources: answer === "object" ? [value] : value,
          errors: [],
        };
  return { ...(summary === undefined ? {} : { summary }), value: wrapped };
}

/** Nothing refers to the examples of the unwrapped bodies any more. */
function dropUnused(document: { components: { examples?: Node } }): void {
  const { examples } = document.components;
  if (examples === undefined) return;
  const text = JSON.stringify(document);
  for (const name of Object.keys(examples)) {
    if (!text.includes(`"#/components/examples/${name}"`)) delete examples[name];
  }
}
