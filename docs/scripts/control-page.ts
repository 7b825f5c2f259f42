import { calledDocument, type OpenApiDocument, type Operation } from "@security-platform/spec";
import { exampleOf } from "../../packages/cli/src/calls/example.ts";
import { flagsOf } from "../../packages/cli/src/calls/flags.ts";
import { block, folded, joinBlocks, prose, table } from "./reference/markdown.ts";
import { exampleBlocks } from "./reference/responses.ts";
import type { ValueParts } from "./reference/value-parts.ts";

type Schemas = OpenApiDocument["components"]["schemas"];

/** The page of the control plane: every operation with its command, its input and its responses. */
export const controlPage = (
  { info, tags, components }: OpenApiDocument,
  operations: readonly Operation[],
  parts: ValueParts,
): string =>
  joinBlocks([
    "---\nsearch: title\nkeywords: dev faults clock snapshot outbox\n---",
    "# Control plane",
    `${prose(info.description)} \`secplat serve --dev\` serves it under \`/_control\`, and \`secplat dev\` calls it; ` +
      "see [Test your integration](/guides/test-your-integration). The document is [control.json](/docs/control.json){target=_self}.",
    ...tags.flatMap(({ name, description }) => [
      `## ${name}`,
      prose(description),
      ...operations
        .filter(({ tag }) => tag === name)
        .flatMap((operation) => operationBlocks(operation, components.schemas, parts)),
    ]),
  ]);

function operationBlocks(
  operation: Operation,
  schemas: Schemas,
  parts: ValueParts,
): readonly string[] {
  const { id, summary, method, path, description, requestBody, responses, successStatus } =
    operation;
  const success = responses.filter(({ status }) => status === successStatus);
  const failures = responses.filter(({ status }) => status !== successStatus);
  return [
    `### ${prose(summary)}`,
    block("http", `${method.toUpperCase()} /_control${path}`),
    prose(description),
    block("bash", commandOf(operation)),
    ...folded("Input, response and errors", [
      parts.parameters(operation.parameters, schemas, `${id}-parameter`),
      ...(requestBody === undefined
        ? []
        : [
            ...parts.body(requestBody.content, schemas, "request", `${id}-body`),
            ...exampleBlocks(requestBody.content),
          ]),
      ...success.flatMap(({ status, description: text, content }) => [
        `Response ${status}: ${prose(text)}`,
        ...parts.body(content, schemas, "response", `${id}-response`),
        ...exampleBlocks(content),
      ]),
      table(
        ["Error", "Cause"],
        failures.map(({ status, description: text }) => [String(status), prose(text)]),
      ),
    ]),
  ];
}

function commandOf({ id }: Operation): string {
  const called = calledDocument().control.find((each) => each.id === id);
  if (called === undefined) throw new Error(`${id} has no command`);
  return exampleOf(called, flagsOf(called, new Set(["--body"]))).join("\n");
}
