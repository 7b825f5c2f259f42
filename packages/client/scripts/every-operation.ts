import type { Operation } from "@security-platform/spec";
import type { Operation as TableEntry } from "../src/operation.ts";

/**
 * Generates a module that calls every operation in both forms, with the examples of the document.
 */
export function everyOperationModule(
  operations: readonly Operation[],
  table: Readonly<Record<string, TableEntry>>,
): string {
  const calls = operations.flatMap((operation) => {
    const entry = table[operation.id];
    if (entry === undefined) throw new Error(`${operation.id} is not in the table`);
    const { body, ...parameters } = exampleInput(operation);
    const flat = Object.assign(
      {},
      ...Object.values(parameters),
      body === undefined ? {} : { body },
    );
    return [
      `  client.call(${JSON.stringify(operation.id)}, ${JSON.stringify({ ...parameters, body })});`,
      `  client.${entry.collection}.${entry.name}(${JSON.stringify(flat)});`,
    ];
  });
  return [
    `import type { Client } from "../client.ts";\n`,
    "/** Never called: it only has to compile, and its compile time is measured. */",
    "export function callEveryOperation(client: Client): void {",
    ...calls,
    "}\n",
  ].join("\n");
}

/**
 * The required inputs of an operation, from its examples; a section without required inputs is
 * omitted.
 */
function exampleInput(operation: Operation) {
  const section = (place: Operation["parameters"][number]["in"]) => {
    const required = operation.parameters.filter((each) => each.in === place && each.required);
    return required.length === 0
      ? undefined
      : Object.fromEntries(required.map(({ name, example }) => [name, example]));
  };
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const [example] = Object.values(content?.examples ?? {});
  return {
    path: section("path"),
    query: section("query"),
    headers: section("header"),
    body: example?.value,
  };
}
