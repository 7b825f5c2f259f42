import type { Operation } from "@security-platform/spec";
import { block, code, joinBlocks, prose, table } from "./markdown.ts";
import { describe, memberTables } from "./members.ts";
import { typeText, type Components } from "./schema.ts";

type Response = Operation["responses"][number];
type Content = Response["content"];

/** The full success response of the operation, and its errors in one table. */
export function responsesSection(operation: Operation, components: Components): string {
  const { responses, successStatus } = operation;
  const success = responses.filter(({ status }) => status === successStatus);
  const failures = responses.filter(({ status }) => status !== successStatus);
  return joinBlocks([
    ...success.map((response) => successBlocks(response, components)),
    failures.length === 0 ? "" : failureBlocks(failures),
  ]).trimEnd();
}

function successBlocks(response: Response, components: Components): string {
  return joinBlocks([
    `## Response ${response.status}`,
    prose(response.description),
    ...contentBlocks(response.content, components, "always present"),
    "### Headers",
    table(
      ["Header", "Present", "Description"],
      Object.entries(response.headers).map(([name, header]) => [
        code(name),
        header.required ? "always" : "if applicable",
        describe({ ...header.schema, description: header.description }, components),
      ]),
    ),
  ]).trimEnd();
}

/** Type, members and examples of a body; `starred` explains a star at a member. */
export function contentBlocks(
  content: Content,
  components: Components,
  starred: string,
): readonly string[] {
  return Object.entries(content).flatMap(([mediaType, { schema, examples }]) => [
    `${code(mediaType)}: ${prose(typeText(schema, components))}`,
    ...memberTables(schema, components, starred),
    ...Object.values(examples).flatMap(({ summary, value }) => [
      summary === undefined ? "Example:" : `Example: ${prose(summary)}`,
      exampleBlock(mediaType, value),
    ]),
  ]);
}

function exampleBlock(mediaType: string, value: unknown): string {
  if (mediaType === "application/x-www-form-urlencoded") {
    return block("text", new URLSearchParams(value as Record<string, string>).toString());
  }
  return typeof value === "string"
    ? block("text", value)
    : block("json", JSON.stringify(value, null, 2));
}

/** Every response has these headers, so they say nothing about a specific error. */
const everywhere = new Set([
  "X-Trace-Id",
  "X-Content-Type-Options",
  "Cache-Control",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
]);

function failureBlocks(failures: readonly Response[]): string {
  const rows = failures.map((response) => [
    String(response.status),
    [prose(response.description), ...sampleMessage(response), ...ownHeaders(response)].join("<br>"),
  ]);
  return joinBlocks([
    "## Errors",
    "All of them return the [Envelope](/guides/errors).",
    table(["Status", "Cause, example message and headers"], rows),
  ]).trimEnd();
}

function ownHeaders({ headers }: Response): readonly string[] {
  const names = Object.keys(headers).filter((name) => !everywhere.has(name));
  return names.length === 0 ? [] : [`with ${names.map(code).join(", ")}`];
}

/** The message of an error's first example. */
function sampleMessage({ content }: Response): readonly string[] {
  const [example] = Object.values(content).flatMap(({ examples }) => Object.values(examples));
  const { errors = [] } = (example?.value ?? {}) as { errors?: readonly { message: string }[] };
  const [line = ""] = (errors[0]?.message ?? "").split("\n");
  return line === "" ? [] : [code(line)];
}
