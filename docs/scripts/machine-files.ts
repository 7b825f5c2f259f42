/** The site for programs that read text: each page as Markdown, and lists of them (llmstxt.org). */
import type { JsonSchema, Operation } from "@security-platform/spec";
import { otherSamples } from "./other-clients/samples.ts";
import { clientSample } from "./reference/client-sample.ts";
import { commandInfo } from "./reference/command-info.ts";
import { curlSample } from "./reference/curl.ts";
import { fieldResources } from "./reference/fql.ts";
import type { Collection } from "./reference/index-pages.ts";
import { block, code, joinBlocks } from "./reference/markdown.ts";
import { deepest, hasPage, insidesOf } from "./reference/members.ts";
import { groupsOf } from "./reference/operation-order.ts";
import { operationLink, schemaLink } from "./reference/places.ts";
import { exampleBlocks } from "./reference/responses.ts";
import { secplatCommand, secplatSample } from "./reference/secplat-sample.ts";
import { statusName } from "./reference/status-name.ts";
import type { SchemaUse } from "./reference/schema-pages.ts";
import { resolve, ruleTexts, typeText, type Components } from "./reference/schema.ts";
import { sampleInput } from "./reference/sample-input.ts";
import type { ValueParts } from "./reference/value-parts.ts";
import { guideGroups, type Guide } from "./sidebar.ts";

const siteSummary =
  "A stateful, multi-tenant server for the Security Platform API that runs on one machine, with a typed client, a command line, contract tests and a gate for changes of the document.";

/** The pages of the reference that are about the whole document. */
export const referenceTables = [
  ["Reference", ""],
  ["Schemas", "schemas/"],
  ["Scopes and roles", "scopes"],
  ["Statuses", "statuses"],
  ["Headers", "headers"],
  ["Limits", "limits"],
  ["Changes", "changelog"],
  ["Differences", "errata"],
] as const;

/** The list of all pages with their addresses. */
export const llmsIndex = (guides: readonly Guide[], collections: readonly Collection[]): string =>
  joinBlocks([
    "# Security Platform API",
    `> ${siteSummary}`,
    "The whole document is [openapi.json](/docs/openapi.json). All pages in one file: [llms-full.txt](/docs/llms-full.txt).",
    ...guideGroups.flatMap((group) => [
      `## ${group}`,
      guides
        .filter((guide) => guide.group === group)
        .toSorted((left, right) => left.order - right.order)
        .map(({ name, title }) => `- [${title}](/docs/guides/${name}.md)`)
        .join("\n"),
    ]),
    "## Reference",
    referenceTables
      .map(([title, path]) => `- [${title}](${markdownLink(`/reference/${path}`)})`)
      .join("\n"),
    ...collections.flatMap(({ tag, operations }) => [`## ${tag}`, operationItems(operations)]),
  ]);

/** The address of the Markdown of a page. */
const markdownLink = (link: string): string =>
  `/docs${link.endsWith("/") ? `${link}index` : link}.md`;

/** A page without its front matter, whose links lead to the Markdown of other pages. */
export const pageMarkdown = (markdown: string): string =>
  markdown
    .replace(/^---\n[^]*?\n---\n+/, "")
    .replaceAll(
      /\]\((\/(?:guides|reference)\/[^)#]*)(#[^)]*)?\)/g,
      (_link, path: string, anchor = "") => `](${markdownLink(path)}${anchor})`,
    )
    .replaceAll(/ ?\{(?:target=_self|#[\w-]+)\}/g, "")
    .replaceAll(/<details[^>]*><summary>(.*?)<\/summary>/g, "$1: ")
    .replaceAll(/\n*<\/details>/g, "")
    .replaceAll("<br>", ", ")
    .replaceAll(/^::: code-group\n+|^:::\n/gm, "")
    // What needs a browser.
    .replaceAll(/^<(?:FilterPlayground|OperationConsole|DemoVariables)[^>]*>\n+/gm, "");

/** An operation with its parameters, bodies, errors and samples: all that its page has. */
export const operationMarkdown = (
  operation: Operation,
  components: Components,
  guides: readonly Guide[],
): string => {
  const { responses, requestBody, parameters, scope } = operation;
  const successes = responses.filter(({ status }) => status < 400);
  const failures = responses.filter(({ status }) => status >= 400);
  const command = commandInfo(operation);
  const input = sampleInput(operation);
  return joinBlocks([
    `# ${operation.summary}`,
    `${code(`${operation.method.toUpperCase()} ${operation.path}`)}, operation ${code(operation.id)}${
      scope === null ? "" : `, scope ${code(scope)}`
    }`,
    deprecationLine(operation),
    plain(operation.description),
    guides.length === 0
      ? ""
      : `Guides: ${guides.map(({ name, title }) => `[${title}](${markdownLink(`/guides/${name}`)})`).join(", ")}.`,
    parameters.length === 0 ? "" : "## Parameters",
    parameterItems(parameters, components),
    requestBody === undefined ? "" : "## Request body",
    ...bodyItems(requestBody?.content ?? {}, components),
    ...successes.flatMap(({ status, description, content, headers }) => [
      `## Response ${statusName(status)}`,
      plain(description),
      ...bodyItems(content, components),
      Object.keys(headers).length === 0
        ? ""
        : `Headers: ${Object.keys(headers).map(code).join(", ")}.`,
      ...exampleBlocks(content),
    ]),
    "## Errors",
    failures
      .map(
        ({ status, description }) =>
          `- [${statusName(status)}](${markdownLink("/guides/errors")}#${status}): ${plain(description)}`,
      )
      .join("\n"),
    fieldItems(operation),
    "## Samples",
    "The variables are those of the [quick start](/docs/guides/quick-start.md#get-a-token).",
    ...sample("curl", "bash", curlSample(operation, input)),
    ...sample("TypeScript", "ts", clientSample(operation, input)),
    ...(command === null
      ? []
      : sample("secplat", "bash", secplatCommand(secplatSample(command, input)))),
    ...otherSamples(operation).flatMap(({ title, language, source, note }) => [
      ...sample(title, language, source),
      note,
    ]),
  ]);
};

const sample = (title: string, language: string, source: string): readonly string[] => [
  `### ${title}`,
  block(language, source),
];

function deprecationLine({ deprecated, replacedBy }: Operation): string {
  if (!deprecated) return "";
  return replacedBy === undefined
    ? "Deprecated."
    : `Deprecated: use [${replacedBy}](${markdownLink(operationLink(replacedBy))}).`;
}

/** The fields of filters and sorts. */
function fieldItems(operation: Operation): string {
  const resources = fieldResources(operation);
  if (resources.length === 0) return "";
  return joinBlocks([
    "## Filter and sort fields",
    ...resources.flatMap(({ resource, fields }) => [
      resources.length === 1 ? "" : `Fields of ${resource}:`,
      Object.entries(fields)
        .map(([name, { type, array, filterable, sortable, description = "" }]) => {
          const use =
            filterable === false ? " (sorts only)" : sortable === true ? " (also sorts)" : "";
          const purpose = description === "" ? "" : `: ${plain(description).replaceAll("\n", " ")}`;
          return `- ${code(name)}, ${array === true ? "list of " : ""}${type}${use}${purpose}`;
        })
        .join("\n"),
    ]),
  ]).trimEnd();
}

/** A collection with links to its operations, by kind of record. */
export const collectionMarkdown = ({ tag, description, operations }: Collection): string =>
  joinBlocks([
    `# ${tag}`,
    plain(description),
    ...groupsOf(operations).flatMap(({ title, operations: members }) => [
      `## ${title}`,
      operationItems(members),
    ]),
  ]);

/** A schema with its members and the operations that use it. */
export function schemaMarkdown(use: SchemaUse, components: Components): string {
  const { name, taking, returning, inside } = use;
  const schema = components[name] ?? {};
  const { description } = schema;
  return joinBlocks([
    `# ${name}`,
    typeof description === "string" ? plain(description) : "",
    "## Members",
    membersOf(schema, components) || "It has no members of its own.",
    ...(taking.length === 0 ? [] : ["## Sent to", operationItems(taking)]),
    ...(returning.length === 0 ? [] : ["## Returned by", operationItems(returning)]),
    ...(inside.length === 0 ? [] : ["## Part of", inside.map(schemaItem).join("\n")]),
  ]);
}

/** The list of all schemas. */
export const schemasMarkdown = (uses: readonly SchemaUse[]): string =>
  joinBlocks(["# Schemas", uses.map(({ name }) => schemaItem(name)).join("\n")]);

const schemaItem = (name: string): string => `- [${name}](${markdownLink(schemaLink(name))})`;

const operationItems = (operations: readonly Operation[]): string =>
  operations
    .map(
      ({ id, summary, method, path }) =>
        `- [${summary}](${markdownLink(operationLink(id))}): ${method.toUpperCase()} ${path}`,
    )
    .join("\n");

/** The members of a body, or of the entries of a list, with those inside them. */
const membersOf = (schema: JsonSchema, components: Components): string =>
  memberLines(schema, components, []).join("\n");

function memberLines(
  schema: JsonSchema,
  components: Components,
  above: readonly string[],
): readonly string[] {
  const indent = "  ".repeat(above.length);
  const insides = insidesOf(schema, components, above);
  return insides.flatMap(({ name, members }) => {
    const isLinked = name !== null && hasPage(name, components);
    if (members === null || above.length >= deepest) {
      return isLinked ? [`${indent}- Members: ${schemaItem(name).slice(2)}`] : [];
    }
    const title = insides.length > 1 && name !== null ? [`${indent}- As ${name}:`] : [];
    const inner = members.flatMap((member) => [
      indent +
        item(
          `${code(member.name)}${member.required ? " (required)" : ""}`,
          member.schema,
          components,
        ),
      ...memberLines(member.schema, components, [...above, name ?? ""]),
    ]);
    return [...title, ...inner];
  });
}

const parameterItems = (parameters: Operation["parameters"], components: Components): string =>
  parameters
    .map(({ name, in: place, required, schema, description }) =>
      item(
        `${code(name)} (${place}${required ? ", required" : ""})`,
        { ...schema, description },
        components,
      ),
    )
    .join("\n");

const bodyItems = (
  content: Operation["responses"][number]["content"],
  components: Components,
): readonly string[] =>
  Object.entries(content).flatMap(([mediaType, { schema }]) => [
    `${code(mediaType)}: ${typeText(schema, components)}`,
    membersOf(schema, components),
  ]);

/** Values as lists in plain Markdown. */
export const plainParts: ValueParts = {
  members: membersOf,
  parameters: parameterItems,
  body: bodyItems,
};

/** Prose of the document, in which only inline code and links are markup. */
const plain = (text: string): string =>
  text
    .trim()
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll(/[<*]/g, String.raw`\$&`)))
    .join("");

function item(head: string, schema: JsonSchema, components: Components): string {
  const { description } = resolve(schema, components);
  const rules = plain(ruleTexts(schema, components).join("; "));
  const parts = [
    `${head}, ${typeText(schema, components)}`,
    ...(typeof description === "string" ? [plain(description).replaceAll("\n", " ")] : []),
    ...(rules === "" ? [] : [`(${rules})`]),
  ];
  return `- ${parts.join(": ").replace(/: \(/, " (")}`;
}
