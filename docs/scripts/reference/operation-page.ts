import type { Operation } from "@security-platform/spec";
import { clientSample } from "./client-sample.ts";
import { curlSample } from "./curl.ts";
import { fieldsSection } from "./fql.ts";
import { block, code, joinBlocks, prose, table } from "./markdown.ts";
import { describe, nameCell } from "./members.ts";
import { operationLink } from "./places.ts";
import { contentBlocks, responsesSection } from "./responses.ts";
import { typeText, type Components } from "./schema.ts";

/** The reference page of one operation, as Markdown. */
export function operationPage(operation: Operation, components: Components): string {
  return joinBlocks([
    frontMatter(operation),
    `# ${prose(operation.summary)}`,
    block("http", `${operation.method.toUpperCase()} ${operation.path}`),
    deprecation(operation),
    prose(operation.description),
    facts(operation, components),
    "## Call it",
    "The variables are those of the [quick start](/guides/quick-start).",
    "::: code-group",
    block("bash [curl]", curlSample(operation)),
    block("ts [client]", clientSample(operation)),
    ":::",
    parametersSection(operation, components),
    bodySection(operation, components),
    fieldsSection(operation),
    responsesSection(operation, components),
  ]);
}

const frontMatter = ({ id, summary }: Operation): string =>
  ["---", `title: ${JSON.stringify(`${summary} · ${id}`)}`, `operation: ${id}`, "---"].join("\n");

function deprecation({ deprecated, replacedBy }: Operation): string {
  if (!deprecated) return "";
  const instead =
    replacedBy === undefined ? "" : ` Use [${replacedBy}](${operationLink(replacedBy)}).`;
  return `::: warning Deprecated\nThis operation remains available, but will not get new features.${instead}\n:::`;
}

function facts(operation: Operation, components: Components): string {
  const rows = [
    ["Operation id", code(operation.id)],
    ["Collection", prose(operation.tag)],
    [
      "Scope",
      operation.scope === null ? "none: it uses the client's credentials" : code(operation.scope),
    ],
    ["Answers", `${operation.successStatus}, ${answerText(operation, components)}`],
    ["Paging", pagingTexts[operation.paging]],
  ];
  return table(["", ""], rows);
}

const pagingTexts: Readonly<Record<Operation["paging"], string>> = {
  none: "no",
  offset: "by [offset](/guides/paging)",
  after: "by [cursor or offset](/guides/paging)",
};

function answerText(
  { answer, responses, successStatus }: Operation,
  components: Components,
): string {
  const response = responses.find(({ status }) => status === successStatus);
  const [content] = Object.values(response?.content ?? {});
  if (answer === "envelope") return "the [Envelope](/guides/errors)";
  if (answer === "none") return "headers without a body";
  if (answer === "file") return "a file";
  return content === undefined ? answer : prose(typeText(content.schema, components));
}

function parametersSection({ parameters }: Operation, components: Components): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map((parameter) => [
    nameCell(parameter.name, parameter.required, parameter.schema, components),
    parameter.in,
    describe({ ...parameter.schema, description: parameter.description }, components),
  ]);
  return joinBlocks([
    "## Parameters",
    table(["Name", "In", "Description"], rows),
    parameters.some((parameter) => parameter.required) ? String.raw`\* ${required}` : "",
  ]).trimEnd();
}

const required = "required";

function bodySection({ requestBody }: Operation, components: Components): string {
  if (requestBody === undefined) return "";
  return joinBlocks([
    "## Request body",
    requestBody.required ? "" : "May be left out.",
    ...contentBlocks(requestBody.content, components, required),
  ]).trimEnd();
}
