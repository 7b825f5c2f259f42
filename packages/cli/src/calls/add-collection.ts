import type { Command } from "commander";
import { examples } from "../options/examples.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { addOperationCommand, addOperationStub } from "./add-operation-command.ts";
import { collectionSummary, kebabCase, type CollectionEntry } from "./operations.ts";

/** Adds the commands of a collection. Only that of `chosen` gets its options, as they take time to prepare. */
export function addCollection(
  program: Command,
  context: CliContext,
  collection: CollectionEntry,
  chosen: string | undefined,
): void {
  const { name, tag, methods } = collection;
  const command = program
    .command(name)
    .summary(collectionSummary(collection))
    .description(
      `Call the operations of ${tag}. secplat ${name} <command> --help lists the parameters of one.`,
    )
    .addHelpText(
      "after",
      examples(
        ...methods
          .slice(0, 2)
          .map((each) => `secplat ${name} ${kebabCase(each.methodName)} --help`),
      ),
    );
  for (const method of methods) {
    const methodName = kebabCase(method.methodName);
    if (methodName === chosen) addOperationCommand(command, context, methodName, method);
    else addOperationStub(command, methodName, method);
  }
}
