import type { Command } from "commander";
import { offeringListed } from "../../options/offering-listed.ts";
import { keyFileOf } from "../../database/keys.ts";
import { withStore } from "../../database/open.ts";
import { examples } from "../../options/examples.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";

type RemoveOptions = DatabaseOptions & ResultOptions;

export function addRemoveCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("remove")
    .argument(
      "<id>",
      "id of the key, as `secplat keys list` shows it",
      offeringListed(readText("the id of a key"), "keys list", "id"),
    )
    .summary("remove an unused key from the key file")
    .description(
      "Remove a key from the key file. The database must not need it any more. Backups that were made " +
        "before the rotation do: their secrets are lost without it.",
    )
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat keys remove 5b1f0c9d7a3e2846"));
  addDatabaseOptions(command).action((id: string, options: RemoveOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const file = keyFileOf(options, context);
      if (file.find(id) === null) {
        const ids = file.keys().map((key) => key.id);
        throw new CommandError(
          `${file.source} has no key ${id}; it has ${ids.length === 0 ? "none" : ids.join(", ")}`,
        );
      }
      const used = (await store.secrets.keys()).find((key) => key.id === id);
      if (used !== undefined) {
        throw new CommandError(
          used.current
            ? `${id} is the current key; first encrypt the secrets with another: secplat keys rotate`
            : `${id} is in use until its rotation is complete; repeat: secplat keys rotate`,
        );
      }
      file.remove(id);
      printResult(
        context,
        options,
        { id, file: file.path, removed: true },
        () => `removed the key ${id} from ${file.path}\n`,
      );
    }),
  );
}
