import type { Command } from "commander";
import { recordAudit } from "../../audit-trail.ts";
import { findClient, readClient } from "../../clients.ts";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { dataFolder } from "../../database/url.ts";
import { readCredentials, removeCredentials } from "../../demo/credentials.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption, ownerOption } from "../../options/shared.ts";
import { ownerOf } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { printable } from "../../terminal/printable.ts";
import type { CliContext } from "../../terminal/cli-context.ts";

interface DeleteOptions extends DatabaseOptions, ResultOptions {
  readonly tenant?: string;
}

export function addDeleteCommand(clients: Command, context: CliContext): void {
  const command = clients
    .command("delete")
    .argument("<client>", "id or name of the client", readClient)
    .summary("delete a client")
    .description("Delete a client. Its tokens become invalid at once.")
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat clients delete reporting"));
  addDatabaseOptions(command).action((idOrName: string, options: DeleteOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const { client_id, cid, name } = await findClient(
        store,
        idOrName,
        await ownerOf(store, options),
      );
      await store.directory.deleteClient(client_id);
      const folder = dataFolder(options, context);
      if (readCredentials(folder)?.client_id === client_id) removeCredentials(folder);
      await recordAudit(store, cid, "clients delete", [client_id]);
      printResult(
        context,
        options,
        { client_id, name, cid, deleted: true },
        () => `deleted ${printable(name)} (${client_id})\n`,
      );
    }),
  );
}
