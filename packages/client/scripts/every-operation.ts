import type { Operation } from "@security-platform/spec";
import { exampleInput, isUpload } from "./example-input.ts";
import { camelCase } from "./names.ts";

/** Generates a module that calls every operation with the examples of the document. */
export function everyOperationModule(operations: readonly Operation[]): string {
  const calls = operations.map((operation) => {
    const { collection, methodName } = operation;
    const input = isUpload(operation)
      ? "{ body: new FormData() }"
      : JSON.stringify(exampleInput(operation));
    return `  client.${camelCase(collection)}.${methodName}(${input});`;
  });
  return [
    `import type { Client } from "../client.ts";\n`,
    "/** This function is never called. It only has to compile, and its compile time is measured. */",
    "export function callEveryOperation(client: Client): void {",
    ...calls,
    "}\n",
  ].join("\n");
}
