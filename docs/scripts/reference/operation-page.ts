import type { Operation } from "@security-platform/spec";
import { otherSamples, otherSamplesNote } from "../other-clients/samples.ts";
import { clientMethod, clientSample } from "./client-sample.ts";
import { curlSample } from "./curl.ts";
import { fieldsSection } from "./fql.ts";
import { codeHtml, escape, htmlBlock, methodBadge, pageAddress } from "./html.ts";
import { block, folded, joinBlocks, prose } from "./markdown.ts";
import type { Guide } from "../sidebar.ts";
import type { Subjects } from "../subjects.ts";
import { memberList, typeHtml } from "./members.ts";
import { linkedProse } from "./mentions.ts";
import { operationLink, schemaLink } from "./places.ts";
import { flowSection } from "./record-flow.ts";
import {
  bodyBlocks,
  errorsSection,
  examplesOf,
  furtherExamples,
  successSection,
} from "./responses.ts";
import { sampleInput } from "./sample-input.ts";
import { isObject, referencesIn, type Components } from "./schema.ts";
import { commandInfo } from "./command-info.ts";
import { statusName } from "./status-name.ts";
import { secplatCommand, secplatSample } from "./secplat-sample.ts";

/** The reference page of one operation, as Markdown: the text beside its samples. */
export function operationPage(
  operation: Operation,
  components: Components,
  subjects: Subjects,
): string {
  const parts = [
    parametersSection(operation, components),
    bodySection(operation, components),
    successSection(operation, components),
    errorsSection(operation),
    fieldsSection(operation),
    flowSection(operation),
    relatedSection(operation, components),
  ];
  return joinBlocks([
    frontMatter(operation),
    `# ${prose(operation.summary)}`,
    addressLine(operation),
    `<OperationConsole operation="${operation.id}" />`,
    '<div class="operation-columns"><div class="operation-intro">',
    deprecation(operation),
    linkedProse(operation.description),
    facts(operation, components, subjects.guidesAbout(operation)),
    partsNavigation(parts),
    // On a phone, the samples stand above the text.
    '</div><div class="operation-samples"><div class="operation-sample">',
    "## Request",
    "::: code-group",
    block("bash [curl]", curlSample(operation, sampleInput(operation))),
    block("ts [TypeScript]", clientSample(operation, sampleInput(operation))),
    secplatBlock(operation),
    ...otherSamples(operation).map(({ language, title, source }) =>
      block(`${language} [${title}]`, source),
    ),
    ":::",
    "The variables are those of the [quick start](/guides/quick-start#get-a-token).",
    "<DemoVariables />",
    ...folded("Clients of other languages", [otherSamplesNote(operation)]),
    "</div>",
    responseSample(operation),
    '</div><div class="operation-text">',
    ...parts,
    "</div></div>",
  ]);
}

/** "On this page": links to the parts of the text, which the samples leave no room for at the side. */
function partsNavigation(parts: readonly string[]): string {
  const links = parts.flatMap((part) =>
    [...part.matchAll(/^## (.+?)(?: \{#.*\})?$/gm)].map(
      ([, title = ""]) => `<a href="#${slugOf(title)}">${escape(title)}</a>`,
    ),
  );
  return `<nav class="page-parts" aria-label="On this page"><span>On this page</span> ${links.join(" ")}</nav>`;
}

/** The anchor that VitePress gives to a heading of letters, digits and spaces. */
const slugOf = (title: string): string => {
  const words = title.toLowerCase().replaceAll(" ", "-");
  if (!/^[a-z][a-z0-9-]*$/.test(words)) throw new Error(`${title} has no simple anchor`);
  return words;
};

const frontMatter = ({
  id,
  summary,
  description,
  methodName,
  tag,
  collection,
  path,
}: Operation): string =>
  [
    "---",
    `title: ${JSON.stringify(`${summary} · ${id}`)}`,
    `description: ${JSON.stringify(firstSentence(description))}`,
    `operation: ${id}`,
    `method: ${methodName}`,
    `collection: ${JSON.stringify(tag)}`,
    `source: spec/${collection}/paths/${path.slice(1).replaceAll("/", "_")}.yaml`,
    "pageClass: operation-page",
    "aside: false",
    "---",
  ].join("\n");

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

const addressLine = ({ method, path }: Operation): string =>
  htmlBlock(
    "operation-address",
    `${methodBadge(method)} ${codeHtml(path)} <button type="button" class="copy-button" data-copy="${escape(path)}">Copy path</button>`,
  );

function deprecation({ deprecated, replacedBy }: Operation): string {
  if (!deprecated) return "";
  const instead =
    replacedBy === undefined ? "" : ` Use [${replacedBy}](${operationLink(replacedBy)}).`;
  return `::: warning Deprecated\nThis operation remains available, but will not get new features.${instead}\n:::`;
}

function facts(operation: Operation, components: Components, guides: readonly Guide[]): string {
  const { id, scope, paging } = operation;
  const command = commandInfo(operation);
  const rows = [
    ["Operation", codeHtml(id)],
    ["Scope", scope === null ? "none: it takes the client's credentials" : codeHtml(scope)],
    ["Client", codeHtml(`client.${clientMethod(operation)}()`)],
    ...(command === null ? [] : [["Command", codeHtml(`secplat ${command.words.join(" ")}`)]]),
    ["Returns", `${statusName(operation.successStatus)}, ${answerHtml(operation, components)}`],
    ...(paging === "none" ? [] : [["Paging", pagingTexts[paging]]]),
    ...(repeats(operation)
      ? [["Retries", `with an ${codeHtml("Idempotency-Key")}, also after a lost response`]]
      : []),
    [
      guides.length === 1 ? "Guide" : "Guides",
      guides
        .map(
          ({ name, title }) => `<a href="${pageAddress(`/guides/${name}`)}">${escape(title)}</a>`,
        )
        .join(", "),
    ],
  ];
  const list = rows.map(([name, text]) => `<div><dt>${name}</dt><dd>${text}</dd></div>`).join("");
  return `<dl class="facts" v-pre>${list}</dl>`;
}

export const repeats = ({ parameters }: Operation): boolean =>
  parameters.some(({ name }) => name === "Idempotency-Key");

const pagingLink = `<a href="${pageAddress("/guides/paging")}">`;

const pagingTexts: Readonly<Record<"offset" | "after", string>> = {
  offset: `by ${pagingLink}offset</a>`,
  after: `by ${pagingLink}cursor or offset</a>`,
};

function answerHtml(
  { answer, responses, successStatus }: Operation,
  components: Components,
): string {
  const response = responses.find(({ status }) => status === successStatus);
  const [content] = Object.values(response?.content ?? {});
  if (answer === "envelope") return `the <a href="${pageAddress("/guides/errors")}">Envelope</a>`;
  if (answer === "none") return "headers without a body";
  if (answer === "file") return "a file";
  return content === undefined ? escape(answer) : typeHtml(content.schema, components);
}

function parametersSection({ parameters }: Operation, components: Components): string {
  if (parameters.length === 0) return "";
  return joinBlocks(["## Parameters", parameterList(parameters, components)]).trimEnd();
}

export const requiredFirst = (parameters: Operation["parameters"]): Operation["parameters"] =>
  parameters.toSorted((left, right) => Number(right.required) - Number(left.required));

/** The parameters, the required ones first. */
export const parameterList = (
  parameters: Operation["parameters"],
  components: Components,
  anchor = "parameter",
): string =>
  memberList(
    requiredFirst(parameters).map(({ name, in: place, required, schema, description }) => ({
      name,
      place,
      required,
      schema: { ...schema, description },
      anchor: `${anchor}-${name}`,
    })),
    components,
    "request",
  );

function bodySection({ requestBody }: Operation, components: Components): string {
  if (requestBody === undefined) return "";
  return joinBlocks([
    "## Request body",
    requestBody.required ? "" : "May be left out.",
    ...bodyBlocks(requestBody.content, components, "request", "body"),
    ...furtherExamples(requestBody.content),
  ]).trimEnd();
}

function secplatBlock(operation: Operation): string {
  const command = commandInfo(operation);
  if (command === null) return "";
  return block("bash [secplat]", secplatCommand(secplatSample(command, sampleInput(operation))));
}

/** The first example of the response. Further ones are folded in the text. */
function responseSample({ responses, successStatus }: Operation): string {
  const success = responses.find(({ status }) => status === successStatus);
  const [example] = examplesOf(success?.content ?? {});
  if (example === undefined) return "";
  return joinBlocks([
    '<div class="operation-sample">',
    `## Response ${statusName(successStatus)} {#response-sample}`,
    example.sample,
    "</div>",
  ]).trimEnd();
}

/** The schemas of the operation's bodies. */
export function relatedSection(operation: Operation, components: Components): string {
  const contents = [
    ...Object.values(operation.requestBody?.content ?? {}),
    ...operation.responses
      .filter(({ status }) => status === operation.successStatus)
      .flatMap(({ content }) => Object.values(content)),
  ];
  const names = new Set(contents.flatMap(({ schema }) => [...referencesIn(schema)]));
  const objects = [...names].filter((name) => isObject(name, components));
  if (objects.length === 0) return "";
  const links = objects.map((name) => `[${name}](${schemaLink(name)})`);
  return joinBlocks(["## Schemas", links.join(", ")]).trimEnd();
}
