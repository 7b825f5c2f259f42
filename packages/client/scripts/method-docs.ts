import { operationById, type Operation, type Wait } from "@security-platform/spec";
import type { Descriptor, List } from "../src/wire/descriptor.ts";
import { idsToDelete, idsToRead } from "./descriptor.ts";
import { exampleInput, isUpload } from "./example-input.ts";
import { camelCase } from "./names.ts";

/** The documentation comment of a method. */
export function methodDocs(
  operation: Operation,
  descriptor: Descriptor,
  wait: Wait | undefined,
  data: string,
): string {
  const { id, method, path, summary, description, scope } = operation;
  return comment([
    `${summary}.`,
    "",
    ...description.trim().split("\n"),
    "",
    `- Operation: \`${id}\` (${method.toUpperCase()} ${path})`,
    ...(scope === null ? [] : [`- Scope: \`${scope}\``]),
    `- Errors: ${errorStatuses(operation).join(", ")}`,
    ...limits(operation, descriptor).map((limit) => `- ${limit}`),
    ...transfers(descriptor, data).map((transfer) => `- ${transfer}`),
    ...(wait === undefined
      ? []
      : [`- The work goes on after the answer: \`${wait.methodName}\` waits for it`]),
    "",
    "@example",
    ...exampleLines(operation),
    `@see http://127.0.0.1:8080/docs/${pageOf(operation)}`,
    ...deprecation(operation),
  ]);
}

const pageOf = ({ document, collection, id }: Operation): string =>
  document === "control" ? "guides/control-plane" : `reference/${collection}/${id}`;

/** The documentation comment of a method that waits. */
export function waiterDocs(operation: Operation, wait: Wait): string {
  const { methodName, state, done, failed, startedBy } = wait;
  const list = (states: readonly string[]): string =>
    states.map((each) => `\`${each}\``).join(", ");
  return comment([
    `Waits until the \`${state}\` of a record is ${list(done)}, and resolves to it as \`data\`.`,
    "",
    `Rejects with a \`WaitError\` if it is ${list(failed)}, or if the time is over.`,
    "",
    `- Reads with: \`${operation.methodName}\``,
    ...startedBy.map((id) => `- Started by: \`${operationById(id).methodName}\``),
    "",
    "@example",
    "```ts",
    `const { data } = await client.${camelCase(operation.collection)}.${methodName}(id, { signal });`,
    "```",
    `@see http://127.0.0.1:8080/docs/${pageOf(operation)}`,
  ]);
}

export const errorStatuses = ({ responses }: Operation): readonly number[] =>
  responses.map(({ status }) => status).filter((status) => status >= 400);

/** A documentation comment of these lines. */
export const comment = (lines: readonly string[]): string =>
  lines.length === 1
    ? `/** ${escaped(lines[0] ?? "")} */`
    : `/**\n${lines.map((line) => ` * ${escaped(line)}`.trimEnd()).join("\n")}\n */`;

const escaped = (line: string): string => line.replaceAll("*/", "*\\/");

function transfers({ answer, body }: Descriptor, data: string): readonly string[] {
  return [
    ...(body === "parts"
      ? [
          "File: a `Blob`, a stream, `{ path }` or `{ content, name, size }`; `onProgress` counts it",
        ]
      : []),
    ...(answer === "file"
      ? ["File: a `Blob`; `.toFile(path)` writes it to the disk, and `.stream()` is its stream"]
      : []),
    ...(/\b(?:FileLink|DownloadInfo)\b/.test(data)
      ? ["Link: `client.download(record)` downloads its file"]
      : []),
  ];
}

const count = (value: number): string => value.toLocaleString("en-US");

function limits(operation: Operation, { list, paging }: Descriptor): readonly string[] {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const maximum = content?.schema["maxItems"];
  return [
    ...(list === undefined ? [] : [listLimit(operation, list)]),
    ...(paging === undefined ? [] : [`Page size: at most ${count(paging.limit)}`]),
    ...(paging?.window === undefined || paging.cursor !== undefined
      ? []
      : [`Reads the first ${count(paging.window)} entries only; narrow the filter for others`]),
    ...(typeof maximum === "number" ? [`Entries of the body: at most ${count(maximum)}`] : []),
  ];
}

function listLimit(operation: Operation, [name, maximum]: List): string {
  const most = count(maximum);
  if (idsToRead(operation) !== undefined) {
    return `Ids: any number; they are requested in groups of ${most}`;
  }
  return idsToDelete(operation) === undefined
    ? `Entries of \`${name}\`: at most ${most}; \`inBatches\` sends any number`
    : `Entries of \`${name}\`: any number; they are sent in groups of ${most}, one after the other, until one fails. \`inBatches\` gives the result of each group`;
}

const maximumExampleLines = 14;

function exampleLines(operation: Operation): readonly string[] {
  const { document, collection, methodName } = operation;
  const object = document === "control" ? "control" : `client.${camelCase(collection)}`;
  const call = `${object}.${methodName}`;
  const result = operation.answer === "none" ? "{ response }" : "{ data }";
  const input = exampleInput(operation);
  const whole = callLines(`const ${result} = await ${call}`, input);
  const short = { ...input, body: "…" };
  const lines =
    whole.length <= maximumExampleLines && !isUpload(operation)
      ? whole
      : callLines(`const ${result} = await ${call}`, short).map((line) =>
          line.replace('body: "…"', "body"),
        );
  return ["```ts", ...lines, "```"];
}

function callLines(start: string, input: object): readonly string[] {
  if (Object.keys(input).length === 0) return [`${start}();`];
  const json = JSON.stringify(input, null, 2).replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
  const line = json.replaceAll(/\n */g, " ");
  return `${start}(${line});`.length <= 100
    ? [`${start}(${line});`]
    : `${start}(${json});`.split("\n");
}

function deprecation({ deprecated, replacedBy, collection }: Operation): readonly string[] {
  if (!deprecated) return [];
  const replacement = replacedBy === undefined ? undefined : operationById(replacedBy);
  if (replacement === undefined) return ["@deprecated"];
  const place =
    replacement.collection === collection ? "" : `${camelCase(replacement.collection)}.`;
  return [`@deprecated Use \`${place}${replacement.methodName}\`.`];
}
