import { clientSample } from "../../../scripts/reference/client-sample.ts";
import { curlSample } from "../../../scripts/reference/curl.ts";
import type { SampleInput } from "../../../scripts/reference/sample-input.ts";
import { secplatCommand, secplatSample } from "../../../scripts/reference/secplat-sample.ts";
import type { OperationData } from "./operation-data.ts";

/** The request of the form in the languages of the samples, by the name of the language. */
export function copiesOf(
  operation: OperationData,
  input: SampleInput,
): readonly (readonly [language: string, text: () => string])[] {
  const { command } = operation;
  return [
    ["curl", () => curlSample(operation, input)],
    ["TypeScript", () => clientSample(operation, input)],
    ...(command === null
      ? []
      : [["secplat", () => secplatCommand(secplatSample(command, input))] as const]),
  ];
}
