import type { Command } from "commander";
import { methodIndex } from "@security-platform/spec";
import { addOperationCommand, addOperationStub } from "../calls/add-operation-command.ts";
import { examples } from "../options/examples.ts";
import type { CliContext } from "../terminal/cli-context.ts";

export function addCallCommand(
  program: Command,
  context: CliContext,
  words?: readonly string[],
): void {
  const command = program
    .command("call")
    .description(
      "Call an operation by its id. `secplat call <operation> --help` lists its parameters; they are those of " +
        "the command with its readable name, such as `secplat ioc list-indicators`.",
    )
    .usage("<operation> [options]")
    .addHelpText(
      "after",
      examples(
        "secplat call indicator.combined.v1 --filter \"type:'domain'\" --all",
        "secplat call indicator.combined.v1 --help",
      ),
    );
  // The list of all operations is for people who look for one.
  if (words === undefined) return;
  const [chosen] = words;
  for (const entry of methodIndex()) {
    if (entry.id === chosen) addOperationCommand(command, context, entry.id, entry);
    else addOperationStub(command, entry.id, entry);
  }
}
