/** The site for programs that read text: each page as Markdown, and lists of them (llmstxt.org). */
import type { JsonSchema, Operation } from "@security-platform/spec";
import { otherSamples, otherSamplesNote } from "./other-clients/samples.ts";
import { clientMethod, clientSample } from "./reference/client-sample.ts";
import { commandInfo } from "./reference/command-info.ts";
import { curlSample } from "./reference/curl.ts";
import { fieldResources, fieldRules, rowsText, syntaxLine } from "./reference/fql.ts";
import type { Collection } from "./reference/index-pages.ts";
import { block, code, joinBlocks } from "./reference/markdown.ts";
import { linkedProse } from "./reference/mentions.ts";
import { deepest, hasPage, insidesOf, type Member } from "./reference/members.ts";
import { groupsOf } from "./reference/operation-order.ts";
import { relatedSection, repeats, requiredFirst } from "./reference/operation-page.ts";
import { collectionLink, errorLink, operationLink, schemaLink } from "./reference/places.ts";
import { flowSection } from "./reference/record-flow.ts";
import { exampleBlocks, failureOf } from "./reference/responses.ts";
import { secplatCommand, secplatSample } from "./reference/secplat-sample.ts";
import { statusName } from "./reference/status-name.ts";
import type { SchemaUse } from "./reference/schema-pages.ts";
import { resolve, ruleTexts, typeText, type Components } from "./reference/schema.ts";
import { sampleInput } from "./reference/sample-input.ts";
import type { ValueParts } from "./reference/value-parts.ts";
import { guideGroups, type Guide } from "./sidebar.ts";
import { guideLinks } from "./subjects.ts";

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
export const llmsIndex = (
  guides: readonly Guide[],
  collections: readonly Collection[],
  uses: readonly SchemaUse[],
): string =>
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
    ...collections.flatMap(({ name, tag, operations }) => [
      `## ${tag}`,
      [
        `- [${tag}, by kind of record](${markdownLink(collectionLink(name))})`,
        operationItems(operations),
      ].join("\n"),
    ]),
    // Programs that have little room skip a section of this name.
    "## Optional",
    uses.map(({ name }) => schemaItem(name)).join("\n"),
  ]);

/** The address of the Markdown of a page. */
const markdownLink = (link: string): string =>
  `/docs${link.endsWith("/") ? `${link}index` : link}.md`;

/** A link to a page, and to a part of it. */
const pageLink = /\]\((\/(?:guides|reference)\/[^)#]*)(#[^)]*)?\)/g;

/** A page without its front matter, whose links lead to the Markdown of other pages. */
export const pageMarkdown = (markdown: string): string =>
  markdown
    .replace(/^---\n[^]*?\n---\n+/, "")
    .replaceAll(pageLink, (_link, path: string, anchor = "") => `](${markdownLink(path)}${anchor})`)
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
  const content = requestBody?.content ?? {};
  return joinBlocks([
    `# ${operation.summary}`,
    `${code(`${operation.method.toUpperCase()} ${operation.path}`)}, operation ${code(operation.id)}${
      scope === null ? "" : `, scope ${code(scope)}`
    }`,
    deprecationLine(operation),
    linked(operation.description),
    factItems(operation),
    guidesLine(guides),
    parameters.length === 0 ? "" : "## Parameters",
    parameterItems(parameters, components),
    requestBody === undefined ? "" : "## Request body",
    requestBody?.required === false ? "May be left out." : "",
    ...bodyItems(content, components),
    // The samples contain the first one.
    ...exampleBlocks(content, 1),
    ...successes.flatMap((response) => [
      `## Response ${statusName(response.status)}`,
      linked(response.description),
      ...bodyItems(response.content, components),
      ...headerItems(response, components),
      ...exampleBlocks(response.content),
    ]),
    "## Errors",
    failures.map((response) => errorItem(response, scope)).join("\n"),
    fieldItems(operation),
    pageMarkdown(flowSection(operation)).trimEnd(),
    pageMarkdown(relatedSection(operation, components)).trimEnd(),
    "## Samples",
    "The variables are those of the [quick start](/docs/guides/quick-start.md#get-a-token).",
    ...sample("curl", "bash", curlSample(operation, input)),
    ...sample("TypeScript", "ts", clientSample(operation, input)),
    ...(command === null
      ? []
      : sample("secplat", "bash", secplatCommand(secplatSample(command, input)))),
    ...otherSamples(operation).flatMap(({ title, language, source }) =>
      sample(title, language, source),
    ),
    pageMarkdown(otherSamplesNote(operation)),
  ]);
};

const guidesLine = (guides: readonly Guide[]): string =>
  guides.length === 0 ? "" : `Guides: ${pageMarkdown(guideLinks(guides))}.`;

/** How programs reach the operation, and how its pages follow each other. */
function factItems(operation: Operation): string {
  const command = commandInfo(operation);
  const facts = [
    `Client: ${code(`client.${clientMethod(operation)}()`)}`,
    ...(command === null ? [] : [`Command: ${code(`secplat ${command.words.join(" ")}`)}`]),
    ...(operation.paging === "none"
      ? []
      : [
          `[Paging](${markdownLink("/guides/paging")}): by ${operation.paging === "offset" ? "offset" : "cursor or offset"}`,
        ]),
    ...(repeats(operation)
      ? [`Retries: with an ${code("Idempotency-Key")}, also after a lost response`]
      : []),
  ];
  return facts.map((fact) => `- ${fact}`).join("\n");
}

const headerItems = (
  { headers }: Operation["responses"][number],
  components: Components,
): readonly string[] => {
  const items = Object.entries(headers).map(([name, { required, schema, description }]) =>
    item(
      `${code(name)}${required ? "" : " (may be absent)"}`,
      { ...schema, description },
      components,
    ),
  );
  return items.length === 0 ? [] : ["Headers:", items.join("\n")];
};

/** An error with its cause, an example of its message, its own headers, and what to do. */
function errorItem(response: Operation["responses"][number], scope: string | null): string {
  const { status } = response;
  const { cause, more, message, headers, remedy } = failureOf(response, scope);
  const parts = [
    plain(cause),
    ...(more === "" ? [] : [plain(more)]),
    ...(message === "" ? [] : [`Example: ${code(message)}.`]),
    ...(headers.length === 0 ? [] : [`With ${headers.map(code).join(", ")}.`]),
    `What to do: ${remedy}`,
  ];
  const [path, anchor] = errorLink(status).split("#") as [string, string];
  return `- [${statusName(status)}](${markdownLink(path)}#${anchor}): ${parts.join(" ").replaceAll("\n", " ")}`;
}

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
  const rows = rowsText(operation);
  if (resources.length === 0 && rows === "") return "";
  return joinBlocks([
    "## Filter and sort fields",
    pageMarkdown(syntaxLine),
    rows,
    ...resources.flatMap(({ resource, fields }) => [
      resources.length === 1 ? "" : `Fields of ${resource}:`,
      Object.entries(fields)
        .map(([name, field]) => {
          const { type, array, filterable, sortable, description = "" } = field;
          const use =
            filterable === false ? " (sorts only)" : sortable === true ? " (also sorts)" : "";
          const purpose = [plain(description).replaceAll("\n", " "), ...fieldRules(field)]
            .filter((text) => text !== "")
            .join(" ");
          return `- ${code(name)}, ${array === true ? "list of " : ""}${type}${use}${purpose === "" ? "" : `: ${purpose}`}`;
        })
        .join("\n"),
    ]),
  ]).trimEnd();
}

/** A collection with links to its operations, by kind of record. */
export const collectionMarkdown = (
  { tag, description, operations }: Collection,
  guides: readonly Guide[],
): string =>
  joinBlocks([
    `# ${tag}`,
    plain(description),
    guidesLine(guides),
    ...groupsOf(operations).flatMap(({ title, operations: members }) => [
      `## ${title}`,
      operationItems(members),
    ]),
  ]);

/** A schema with its members and the operations that use it. */
export function schemaMarkdown(use: SchemaUse, components: Components): string {
  const { name, taking, returning, inside } = use;
  const description = components[name]?.["description"];
  return joinBlocks([
    `# ${name}`,
    typeof description === "string" ? plain(description) : "",
    "## Members",
    membersOf({ $ref: `#/components/schemas/${name}` }, components) ||
      "It has no members of its own.",
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
      ({ id, summary, method, path, deprecated }) =>
        `- [${summary}](${markdownLink(operationLink(id))}): ${method.toUpperCase()} ${path}${deprecated ? " (deprecated)" : ""}`,
    )
    .join("\n");

/** The members of a body, or of the entries of a list, with those inside them. */
const membersOf = (schema: JsonSchema, components: Components): string =>
  memberLines(schema, components, { above: [], depth: 0, indent: "" }).join("\n");

/** Where a value stands, as in the tree of a page. */
interface Level {
  /** Names of the schemas that contain it. */
  readonly above: readonly string[];
  readonly depth: number;
  readonly indent: string;
}

function memberLines(
  schema: JsonSchema,
  components: Components,
  { above, depth, indent }: Level,
): readonly string[] {
  const insides = insidesOf(schema, components, above);
  return insides.flatMap(({ name, members }) => {
    const isLinked = name !== null && hasPage(name, components);
    if (members === null || (depth > deepest && isLinked)) {
      return isLinked ? [`${indent}- Members: ${schemaItem(name).slice(2)}`] : [];
    }
    const isChoice = insides.length > 1 && members.length > 0;
    const own = isChoice ? `${indent}  ` : indent;
    return [
      ...(isChoice ? [`${indent}- As ${name ?? "an object"}:`] : []),
      ...members.flatMap((member) => [
        own + memberItem(member, components),
        ...memberLines(member.schema, components, {
          above: name === null ? above : [...above, name],
          depth: depth + (isChoice && depth === 0 ? 2 : 1),
          indent: `${own}  `,
        }),
      ]),
    ];
  });
}

const memberItem = ({ name, required, schema }: Member, components: Components): string => {
  const marks = [
    ...(required ? ["required"] : []),
    ...(schema["deprecated"] === true ? ["deprecated"] : []),
  ];
  return item(
    `${code(name)}${marks.length === 0 ? "" : ` (${marks.join(", ")})`}`,
    schema,
    components,
  );
};

const parameterItems = (parameters: Operation["parameters"], components: Components): string =>
  requiredFirst(parameters)
    .flatMap(({ name, in: place, required, schema, description }) => [
      item(
        `${code(name)} (${place}${required ? ", required" : ""}${schema["deprecated"] === true ? ", deprecated" : ""})`,
        { ...schema, description },
        components,
      ),
      ...memberLines(schema, components, { above: [], depth: 1, indent: "  " }),
    ])
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

/** Prose of the document, in which operations, headers and guides are links. */
const linked = (text: string): string => pageMarkdown(linkedProse(text));

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
