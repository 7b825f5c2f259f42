import type { Example, JsonSchema, MediaType, OpenApiDocument } from "../document.ts";
import type { FqlUse } from "../fql-table.ts";
import type { Method, Operation, Parameter, ResponseDescription, Wait } from "../operation.ts";
import { bodyFql, fqlUse } from "./fql-uses.ts";
import { resolve, resolveAll } from "../references.ts";

/** The order in which the operations of one path are listed. */
const methods: readonly Method[] = ["get", "head", "post", "put", "patch", "delete"];

/** The raw Operation Object of the document. */
interface RawOperation {
  readonly operationId: Operation["id"];
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  /** Absent: no token is needed. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly "x-method-name": string;
  readonly "x-wait"?: RawWait;
  readonly "x-paging"?: "offset" | "after";
  readonly "x-answer"?: Operation["answer"];
  readonly "x-replaced-by"?: string | null;
  readonly "x-deprecated-at"?: string;
}

type RawWait = Omit<Wait, "methodName" | "startedBy"> & {
  readonly "method-name": string;
  readonly "started-by": Wait["startedBy"];
};

const indexWait = ({ "method-name": methodName, "started-by": startedBy, ...states }: RawWait) => ({
  methodName,
  ...states,
  startedBy,
});

interface RawParameter extends Omit<Parameter, "fql"> {
  readonly "x-fql"?: FqlUse;
  readonly "x-cursor"?: boolean;
}

/** All facts about operations that other packages need, one flat entry each, sorted by path. */
export function operationsIndex(
  document: OpenApiDocument,
  source: Operation["document"] = "platform",
): readonly Operation[] {
  return Object.keys(document.paths)
    .toSorted()
    .flatMap((path) => {
      const item = document.paths[path] ?? {};
      return methods
        .filter((method) => method in item)
        .map((method) =>
          indexOperation(document, source, path, method, item[method] as unknown as RawOperation),
        );
    });
}

/** The operations in the order of `operationsIndex`. */
export const sortedOperations = (operations: readonly Operation[]): readonly Operation[] =>
  operations.toSorted(
    (left, right) =>
      (left.path === right.path ? 0 : left.path < right.path ? -1 : 1) ||
      methods.indexOf(left.method) - methods.indexOf(right.method),
  );

/** Collections whose folder is shorter than their name. */
const folders: Readonly<Record<string, string>> = {
  "Data Protection Configuration": "data-protection",
};

/** `User Management` → `user-management`, the folder of a collection. */
export const collectionOf = (tag: string): string =>
  folders[tag] ?? tag.toLowerCase().replaceAll(" ", "-");

function indexOperation(
  document: OpenApiDocument,
  source: Operation["document"],
  path: string,
  method: Method,
  raw: RawOperation,
): Operation {
  const parameters = (raw.parameters ?? []).map((node) => resolve<RawParameter>(document, node));
  const responses = withDeprecation(raw, indexResponses(document, raw.responses));
  const success = responses.find(({ status }) => status < 300);
  if (success === undefined) throw new Error(`${raw.operationId} documents no success`);
  const paging = raw["x-paging"] ?? "none";
  const cursor =
    paging === "after" ? (parameters.find((each) => each["x-cursor"])?.name ?? "after") : undefined;
  const replacedBy = raw["x-replaced-by"];
  return {
    id: raw.operationId,
    document: source,
    method,
    path,
    collection: collectionOf(raw.tags[0]),
    tag: raw.tags[0],
    methodName: raw["x-method-name"],
    summary: raw.summary,
    description: raw.description,
    deprecated: raw.deprecated ?? false,
    ...deprecatedAt(document, raw),
    ...(typeof replacedBy === "string" ? { replacedBy } : {}),
    scope: scopeOf(raw.security),
    parameters: parameters.map((parameter) => indexParameter(document, parameter)),
    ...(raw.requestBody === undefined
      ? {}
      : { requestBody: indexRequestBody(document, raw.requestBody) }),
    responses,
    successStatus: success.status,
    paging,
    ...(raw["x-wait"] === undefined ? {} : { wait: indexWait(raw["x-wait"]) }),
    ...(cursor === undefined ? {} : { cursorParameter: cursor }),
    answer: raw["x-answer"] ?? answerOf(document, success),
  };
}

/** The deprecation time: the operation's own `x-deprecated-at`, or that of the document. */
function deprecatedAt(
  { info }: OpenApiDocument,
  { operationId, deprecated, "x-deprecated-at": own }: RawOperation,
): Pick<Operation, "deprecatedAt"> {
  if (deprecated !== true) return {};
  const at = Date.parse(own ?? info["x-deprecated-at"] ?? "") / 1_000;
  if (!Number.isInteger(at)) throw new Error(`the deprecation time of ${operationId} is missing`);
  return { deprecatedAt: at };
}

const deprecationHeaders = ["Deprecation", "Link"];

/**
 * Every response of a deprecated operation has these headers; the document contains them once, in
 * the success.
 */
function withDeprecation(
  { deprecated }: RawOperation,
  responses: readonly ResponseDescription[],
): readonly ResponseDescription[] {
  const success = responses.find(({ status }) => status < 300);
  if (deprecated !== true || success === undefined) return responses;
  const headers = deprecationHeaders.flatMap((name) => {
    const header = success.headers[name];
    return header === undefined ? [] : [[name, { ...header, required: false }] as const];
  });
  return responses.map((response) =>
    response === success
      ? response
      : { ...response, headers: { ...Object.fromEntries(headers), ...response.headers } },
  );
}

/** The scope of the OAuth2 requirement; null if a call without a token is allowed. */
function scopeOf(security: RawOperation["security"] = []): string | null {
  return security.flatMap((requirement) => requirement["oauth2"] ?? [])[0] ?? null;
}

/** The schema of a parameter is also resolved, because parsing its text depends on the type. */
function indexParameter(
  document: OpenApiDocument,
  { "x-fql": fql, ...parameter }: RawParameter,
): Parameter {
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required ?? false,
    description: parameter.description,
    schema: resolve(document, parameter.schema),
    ...("example" in parameter ? { example: parameter.example } : {}),
    ...(fql === undefined ? {} : { fql: fqlUse(fql) }),
  };
}

function indexRequestBody(
  document: OpenApiDocument,
  node: unknown,
): NonNullable<Operation["requestBody"]> {
  const body = resolve<{ required?: boolean; content: unknown; "x-fql"?: FqlUse }>(document, node);
  const content = indexContent(document, body.content);
  const own = body["x-fql"];
  return {
    required: body.required ?? false,
    content,
    fql: [
      ...(own === undefined ? [] : [{ path: "", ...fqlUse(own) }]),
      ...Object.values(content).flatMap(({ schema }) => bodyFql(document, schema)),
    ],
  };
}

function indexResponses(
  document: OpenApiDocument,
  nodes: RawOperation["responses"],
): readonly ResponseDescription[] {
  return Object.entries(resolveAll<RawResponse>(document, nodes))
    .map(([status, response]) => ({
      status: Number(status),
      description: response.description,
      content: indexContent(document, response.content),
      headers: Object.fromEntries(
        Object.entries(resolveAll<RawHeader>(document, response.headers)).map(([name, header]) => [
          name,
          {
            required: header.required ?? false,
            description: header.description,
            schema: header.schema,
          },
        ]),
      ),
    }))
    .toSorted((left, right) => left.status - right.status);
}

interface RawResponse {
  readonly description: string;
  readonly headers?: unknown;
  readonly content?: unknown;
}

interface RawHeader {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

function indexContent(document: OpenApiDocument, content: unknown): Record<string, MediaType> {
  return Object.fromEntries(
    Object.entries(
      (content ?? {}) as Record<
        string,
        { readonly schema: JsonSchema; readonly examples?: unknown }
      >,
    ).map(([type, { schema, examples }]) => [
      type,
      { schema, examples: resolveAll<Example>(document, examples) },
    ]),
  );
}

function answerOf(document: OpenApiDocument, success: ResponseDescription): Operation["answer"] {
  if (Object.keys(success.content).length === 0) return "none";
  const schema = success.content["application/json"]?.schema;
  if (schema === undefined) return "file";
  if (schema["$ref"] === "#/components/schemas/Envelope") return "envelope";
  const resolved = resolve(document, schema);
  if (resolved["type"] !== "array") return "object";
  return resolve(document, resolved["items"])["type"] === "string" ? "ids" : "records";
}
