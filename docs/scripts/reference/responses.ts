import type { Operation } from "@security-platform/spec";
import { codeHtml, escape, htmlBlock, pageAddress, proseHtml } from "./html.ts";
import { block, folded, joinBlocks, prose } from "./markdown.ts";
import { memberList, memberTree, typeHtml, type Side } from "./members.ts";
import { linkedProse, linkedProseHtml } from "./mentions.ts";
import { errorLink } from "./places.ts";
import type { Components } from "./schema.ts";
import { statusName } from "./status-name.ts";

type Response = Operation["responses"][number];
type Content = Response["content"];

/** The successes of the operation: body and headers. */
export function successSection(operation: Operation, components: Components): string {
  const { responses } = operation;
  const successes = responses.filter(({ status }) => status < 400);
  return joinBlocks(successes.map((response) => successBlocks(response, components))).trimEnd();
}

function successBlocks(response: Response, components: Components): string {
  const anchor = `response-${response.status}`;
  const headers = Object.entries(response.headers).map(([name, header]) => ({
    name,
    required: header.required,
    schema: { ...header.schema, description: header.description },
    anchor: `${anchor}-header-${name}`,
  }));
  return joinBlocks([
    `## Response ${statusName(response.status)}`,
    linkedProse(response.description),
    ...bodyBlocks(response.content, components, "response", anchor),
    ...furtherExamples(response.content),
    `<details class="headers"><summary>Headers <span class="member-count">${headers.length}</span></summary>`,
    memberList(headers, components, "response"),
    "</details>",
  ]).trimEnd();
}

/** Type and members of a body. */
export const bodyBlocks = (
  content: Content,
  components: Components,
  side: Side,
  anchor: string,
): readonly string[] =>
  Object.entries(content).flatMap(([mediaType, { schema }], index) => [
    htmlBlock("body-type", `${codeHtml(mediaType)} ${typeHtml(schema, components)}`),
    memberTree(schema, components, side, index === 0 ? anchor : `${anchor}-${index + 1}`),
  ]);

interface Example {
  readonly summary: string | undefined;
  /** A block of Markdown. */
  readonly sample: string;
}

export const examplesOf = (content: Content): readonly Example[] =>
  Object.entries(content).flatMap(([mediaType, { examples }]) =>
    Object.values(examples).map(({ summary, value }) => ({
      summary,
      sample: exampleBlock(mediaType, value),
    })),
  );

/** Examples of a body, as blocks of Markdown. */
export const exampleBlocks = (content: Content, from = 0): readonly string[] =>
  examplesOf(content)
    .slice(from)
    .flatMap(({ summary = "", sample }) => [prose(summary), sample]);

/** All examples of a body but the first, folded until a reader opens them. */
export const furtherExamples = (content: Content): readonly string[] =>
  examplesOf(content)
    .slice(1)
    .flatMap(({ summary = "another body", sample }) =>
      folded(`Example: ${escape(summary)}`, [sample]),
    );

function exampleBlock(mediaType: string, value: unknown): string {
  if (mediaType === "application/x-www-form-urlencoded") {
    return block("text", new URLSearchParams(value as Record<string, string>).toString());
  }
  return typeof value === "string"
    ? block("text", value)
    : block("json", JSON.stringify(value, null, 2));
}

/** Every error may have these headers, so they say nothing about a specific error. */
const everywhere = new Set([
  "X-Trace-Id",
  "X-Content-Type-Options",
  "Cache-Control",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "Link",
]);

/** What a caller does about an error of this status. */
const remedies: Readonly<Record<number, string>> = {
  400: "Correct what the message names, and send the request again. The request changed nothing.",
  401: "Request a new token. If that fails, check the client's id and secret.",
  403: "Use a client with this scope, or a user with a role that allows the operation.",
  404: "Check the ids, and that they belong to the tenant of the token.",
  406: "Accept one of the types that the message names.",
  408: "Send the whole request within the time limit of the server.",
  409: "Read the record again, and send your change for its current state.",
  412: "Read the record again, and send your change with its current version.",
  413: "Send fewer records or a smaller file in one request.",
  415: "Send the body in one of the types that the message names.",
  416: "Request a range within the size of the file.",
  422: "Use a new key for a request with another body.",
  429: "Wait for the seconds in `Retry-After`. The client of this project does so itself.",
  431: "Send fewer or shorter headers and parameters.",
  500: "Try again later, and report the trace id of the response.",
  503: "Wait for the seconds in `Retry-After`, and send the request again.",
  507: "Delete records or files, or ask the operator for more storage.",
};

/** Errors that say nothing about a specific operation. */
const ofEveryOperation = new Set([401, 406, 408, 413, 415, 429, 431, 500, 503, 507]);

/** The errors of the operation, each with its cause, an example and its remedy. */
export function errorsSection({ responses, scope }: Operation): string {
  const failures = responses.filter(({ status }) => status >= 400);
  if (failures.length === 0) return "";
  const own = failures.filter(({ status }) => !ofEveryOperation.has(status));
  const common = failures.filter(({ status }) => ofEveryOperation.has(status));
  const list = (some: readonly Response[]): string =>
    some.map((response) => failure(response, scope)).join("");
  const rest = `<details class="common"><summary>Errors of every operation <span class="member-count">${common.length}</span></summary>${list(common)}</details>`;
  return joinBlocks([
    "## Errors",
    "All of them return the [Envelope](/guides/errors).",
    htmlBlock("errors", `${list(own)}${common.length === 0 ? "" : rest}`),
  ]).trimEnd();
}

/** What a reader must know about an error: texts with inline code. */
export interface Failure {
  /** The first sentence of its description. */
  readonly cause: string;
  readonly more: string;
  /** The message of an example; empty without one. */
  readonly message: string;
  /** Headers that not every response has. */
  readonly headers: readonly string[];
  readonly remedy: string;
}

export function failureOf(response: Response, scope: string | null): Failure {
  const { status, description } = response;
  const remedy = remedies[status];
  if (remedy === undefined) throw new Error(`there is no remedy for status ${status}`);
  const [cause = "", ...more] = description.trim().split(/(?<=\.)\s/);
  return {
    cause,
    more: more.join(" "),
    message: sampleMessage(response, scope),
    headers: ownHeaders(response),
    remedy,
  };
}

function failure(response: Response, scope: string | null): string {
  const { status } = response;
  const { cause, more, message, headers, remedy } = failureOf(response, scope);
  const parts = [
    more === "" ? "" : `<p>${linkedProseHtml(more)}</p>`,
    message === "" ? "" : `<p>Example: ${codeHtml(message)}</p>`,
    headers.length === 0
      ? ""
      : `<p>With ${headers.map((name) => linkedProseHtml(`\`${name}\``)).join(", ")}.</p>`,
    `<p><strong>What to do:</strong> ${linkedProseHtml(remedy)} <a href="${pageAddress(errorLink(status))}">All causes of a ${status}</a></p>`,
  ];
  return `<details><summary><span class="status">${statusName(status)}</span> ${proseHtml(cause)}</summary>${parts.join("")}</details>`;
}

const ownHeaders = ({ headers }: Response): readonly string[] =>
  Object.keys(headers).filter((name) => !everywhere.has(name));

/** The message of an error's first example. The examples of all operations share one scope. */
function sampleMessage({ status, content }: Response, scope: string | null): string {
  const [example] = Object.values(content).flatMap(({ examples }) => Object.values(examples));
  const { errors = [] } = (example?.value ?? {}) as { errors?: readonly { message: string }[] };
  const [line = ""] = (errors[0]?.message ?? "").split("\n");
  return status === 403 && scope !== null
    ? line.replace(/\b[a-z-]+:(?:read|write)\b/, scope)
    : line;
}
