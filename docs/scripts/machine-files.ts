/** The site for programs that read text: each page as Markdown, and lists of them (llmstxt.org). */
import type { JsonSchema, Operation } from "@security-platform/spec";
import { clientSample } from "./reference/client-sample.ts";
import { curlSample } from "./reference/curl.ts";
import type { Collection } from "./reference/index-pages.ts";
import { block, code, joinBlocks } from "./reference/markdown.ts";
import { operationPlace } from "./reference/places.ts";
import { resolve, ruleTexts, typeText, type Components } from "./reference/schema.ts";
import { sampleInput } from "./reference/sample-input.ts";
import { guideGroups, type Guide } from "./sidebar.ts";

const summary =
  "A stateful, multi-tenant server for the Security Platform API that runs on one machine, with a typed client, a command line, contract tests and a gate for changes of the document.";

/** The list of all pages with their addresses. */
export const llmsIndex = (guides: readonly Guide[], collections: readonly Collection[]): string =>
  joinBlocks([
    "# Security Platform API",
    `> ${summary}`,
    "The whole document is [openapi.json](/docs/openapi.json). All pages in one file: [llms-full.txt](/docs/llms-full.txt).",
    ...guideGroups.flatMap((group) => [
      `## ${group}`,
      guides
        .filter((guide) => guide.group === group)
        .toSorted((left, right) => left.order - right.order)
        .map(({ name, title }) => `- [${title}](/docs/guides/${name}.md)`)
        .join("\n"),
    ]),
    ...collections.flatMap(({ tag, operations }) => [
      `## ${tag}`,
      operations
        .map(
          (operation) =>
            `- [${operation.summary}](/docs/reference/${operationPlace(operation)}.md): ${operation.method.toUpperCase()} ${operation.path}`,
        )
        .join("\n"),
    ]),
  ]);

/** A guide without its front matter, whose links lead to the Markdown of other pages. */
export const guideMarkdown = (markdown: string): string =>
  markdown
    .replace(/^---\n[^]*?\n---\n+/, "")
    .replaceAll(/\]\((\/(?:guides|reference)\/[^)#]*[^)#/])(#[^)]*)?\)/g, "](/docs$1.md$2)")
    .replaceAll(/\{target=_self\}/g, "")
    // What needs a browser.
    .replaceAll(/^<FilterPlayground[^>]*>\n+/gm, "");

/** An operation with its parameters, body, errors and samples. */
export const operationMarkdown = (operation: Operation, components: Components): string =>
  joinBlocks([
    `# ${operation.summary}`,
    `${code(`${operation.method.toUpperCase()} ${operation.path}`)}, operation ${code(operation.id)}${
      operation.scope === null ? "" : `, scope ${code(operation.scope)}`
    }`,
    operation.description.trim(),
    operation.parameters.length === 0 ? "" : "## Parameters",
    operation.parameters
      .map(({ name, in: place, required, schema, description }) =>
        item(
          `${code(name)} (${place}${required ? ", required" : ""})`,
          { ...schema, description },
          components,
        ),
      )
      .join("\n"),
    operation.requestBody === undefined ? "" : "## Request body",
    ...Object.entries(operation.requestBody?.content ?? {}).flatMap(([mediaType, { schema }]) => [
      `${code(mediaType)}: ${typeText(schema, components)}`,
      membersOf(schema, components),
    ]),
    "## Responses",
    operation.responses
      .map(({ status, description, content }) => {
        const types = Object.values(content).map(({ schema }) => typeText(schema, components));
        const body = types.length === 0 || status >= 400 ? "" : ` Body: ${types.join(" or ")}.`;
        return `- ${status}: ${description.trim()}${body}`;
      })
      .join("\n"),
    "## Samples",
    block("bash", curlSample(operation, sampleInput(operation))),
    block("ts", clientSample(operation, sampleInput(operation))),
  ]);

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

function item(head: string, schema: JsonSchema, components: Components): string {
  const { description } = resolve(schema, components);
  const rules = ruleTexts(schema, components).join("; ");
  const parts = [
    `${head}, ${typeText(schema, components)}`,
    ...(typeof description === "string" ? [description.trim().replaceAll("\n", " ")] : []),
    ...(rules === "" ? [] : [`(${rules})`]),
  ];
  return `- ${parts.join(": ").replace(/: \(/, " (")}`;
}
