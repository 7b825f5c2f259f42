import type { CalledOperation, MethodEntry } from "@security-platform/spec";
import type { Command, Option } from "commander";
import { connectionOptions } from "../api/connection.ts";
import { examples } from "../options/examples.ts";
import { addOptions, outputOptions } from "../output/output-options.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { exampleOf } from "./example.ts";
import { flagsOf, type Flag } from "./flags.ts";
import { operationOf } from "./operations.ts";
import { requestOptions } from "./request-options.ts";
import type { CallOptions } from "./run-operation.ts";

/** Adds the command of an operation, which the document describes: `secplat ioc list-indicators`. */
export function addOperationCommand(
  parent: Command,
  context: CliContext,
  name: string,
  entry: MethodEntry,
): void {
  addOperation(addOperationStub(parent, name, entry), context, operationOf(entry.id));
}

/** Adds a command without options, for the help of its parent and for suggestions. */
export const addOperationStub = (
  parent: Command,
  name: string,
  { summary, deprecated }: MethodEntry,
): Command =>
  parent.command(name).summary(deprecated === true ? `${summary} (deprecated)` : summary);

function addOperation(command: Command, context: CliContext, operation: CalledOperation): void {
  const { id, method, path, description, replacedBy } = operation;
  const { flags, others } = optionsOf(operation);
  command
    .description(
      [
        description,
        ...(replacedBy === undefined
          ? []
          : [`Deprecated; use secplat call ${replacedBy} instead.`]),
        `Operation ${id}: ${method.toUpperCase()} ${path}`,
      ].join("\n\n"),
    )
    .addHelpText("after", examples(...exampleOf(operation, flags)));
  addOptions(command, [...flags.map(({ option }) => option), ...others]);
  command.action(async (options: CallOptions) => {
    const { runOperation } = await import("./run-operation.ts");
    await runOperation(operation, flags, options, context);
  });
}

/** The options of the command of an operation; no two have the same name. */
export function optionsOf(operation: CalledOperation): {
  readonly flags: readonly Flag[];
  readonly others: readonly Option[];
} {
  const { scope } = operation;
  const others = [
    ...requestOptions(operation),
    ...connectionOptions(scope === null ? "any scope" : `the scope ${scope}`),
    ...outputOptions(),
  ];
  const taken = others.flatMap(({ long, short }) => [long ?? "", short ?? ""]);
  return { flags: flagsOf(operation, new Set([...taken, "--help"])), others };
}
