import type { Operation } from "@security-platform/spec";
import { block, code, joinBlocks, prose, table } from "./markdown.ts";
import { describe, memberTable } from "./members.ts";
import { typeText, type Components } from "./schema.ts";

type Response = Operation["responses"][number];
type Content = Response["content"];

/** What the operation answers on success, in full, and its errors in one table. */
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
    `## Answer ${response.status}`,
    prose(response.description),
    ...contentBlocks(response.content, components),
    "### Headers",
    table(
      ["Header", "Present", "Description"],
      Object.entries(response.headers).map(([name, header]) => [
        code(name),
        header.required ? "always" : "where it applies",
        describe({ ...header.schema, description: header.description }, components),
      ]),
    ),
  ]).trimEnd();
}

/** Type, members and examples of a body. */
export function contentBlocks(content: Content, components: Components): readonly string[] {
  return Object.entries(content).flatMap(([mediaType, { schema, examples }]) => [
    `${code(mediaType)}: ${prose(typeText(schema, components))}`,
    memberTable(schema, components),
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

/** Headers that every answer has say nothing of one error. */
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
    prose(response.description),
    Object.keys(response.headers)
      .filter((name) => !everywhere.has(name))
      .map(code)
      .join(", "),
  ]);
  return joinBlocks([
    "## Errors",
    "All of them answer with the [Envelope](/guides/errors).",
    table(["Status", "When", "Headers beside the usual"], rows),
  ]).trimEnd();
}
