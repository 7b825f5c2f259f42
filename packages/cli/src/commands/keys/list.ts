import type { Command } from "commander";
import { keyFileOf } from "../../database/keys.ts";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatTable } from "../../terminal/table.ts";

type ListOptions = DatabaseOptions & ResultOptions;

const columns = ["id", "state", "secrets", "file"];

export function addListCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("list")
    .summary("list the keys and how many secrets each encrypts")
    .description(
      "List the keys of the key file and those that the database needs. State: current (encrypts new " +
        "secrets), used (still encrypts some) or unused. Superseded versions of records count as well.",
    )
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat keys list"));
  addDatabaseOptions(command).action((options: ListOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const file = keyFileOf(options, context);
      const inFile = file.keys().map(({ id }) => id);
      const used = await store.secrets.keys();
      const unused = inFile.filter((id) => used.every((key) => key.id !== id));
      const keys = [
        ...used.map(({ id, current, secrets }) => ({
          id,
          state: current ? "current" : "used",
          secrets,
        })),
        ...unused.map((id) => ({ id, state: "unused", secrets: 0 })),
      ].map((key) => ({ ...key, file: inFile.includes(key.id) ? file.path : null }));
      printResult(context, options, keys, () => formatTable(columns, keys));
    }),
  );
}
