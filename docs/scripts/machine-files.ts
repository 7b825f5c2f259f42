/** The site for programs that read text: each page as Markdown, and lists of them (llmstxt.org). */
import type { JsonSchema, Operation } from "@security-platform/spec";
import { clientSample } from "./reference/client-sample.ts";
import { curlSample } from "./reference/curl.ts";
import type { Collection } from "./reference/index-pages.ts";
import { block, code, joinBlocks } from "./reference/markdown.ts";
import { groupsOf } from "./reference/operation-order.ts";
import { operationLink, schemaLink } from "./reference/places.ts";
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
    .replaceAll(/^<(?:FilterPlayground|OperationConsole)[^>]*>\n+/gm, "");

/** An operation with its parameters, body, errors and samples. */
export const operationMarkdown = (operation: Operation, components: Components): string =>
  joinBlocks([
    `# ${operation.summary}`,
    `${code(`${operation.method.toUpperCase()} ${operation.path}`)}, operation ${code(operation.id)}${
      operation.scope === null ? "" : `, scope ${code(operation.scope)}`
    }`,
    plain(operation.description),
    operation.parameters.length === 0 ? "" : "## Parameters",
    parameterItems(operation.parameters, components),
    operation.requestBody === undefined ? "" : "## Request body",
    ...bodyItems(operation.requestBody?.content ?? {}, components),
    "## Responses",
    operation.responses
      .map(({ status, description, content }) => {
        const types = Object.values(content).map(({ schema }) => typeText(schema, components));
        const body = types.length === 0 || status >= 400 ? "" : ` Body: ${types.join(" or ")}.`;
        return `- ${statusName(status)}: ${plain(description)}${body}`;
      })
      .join("\n"),
    "## Samples",
    block("bash", curlSample(operation, sampleInput(operation))),
    block("ts", clientSample(operation, sampleInput(operation))),
  ]);

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

/** The members of a body, or of the entries of a list. Deeper ones are in the document. */
function membersOf(schema: JsonSchema, components: Components): string {
  const own = resolve(schema, components);
  const { properties = {}, required = [] } = resolve(
    (own["items"] as JsonSchema | undefined) ?? own,
    components,
  ) as { properties?: Record<string, JsonSchema>; required?: readonly string[] };
  return Object.entries(properties)
    .map(([name, member]) =>
      item(`${code(name)}${required.includes(name) ? " (required)" : ""}`, member, components),
    )
    .join("\n");
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
