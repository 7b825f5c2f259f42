import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption, readTenant } from "../../options/shared.ts";
import { findTenant } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatTable } from "../../terminal/table.ts";

interface ListOptions extends DatabaseOptions, ResultOptions {
  readonly tenant?: string;
}

const columns = ["client_id", "name", "cid", "scopes", "created_at"];

export function addListCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("list")
    .summary("list the clients")
    .description("List the clients. Secrets are not stored and cannot be shown.")
    .option(
      "--tenant <tenant>",
      "cid or name of a tenant in the database (default: all tenants)",
      readTenant,
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples("secplat clients list", "secplat clients list --json | jq -r '.[].client_id'"),
    );
  addDatabaseOptions(command).action((options: ListOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const { tenant } = options;
      const cid =
        tenant === undefined ? undefined : (await findTenant(store, tenant, "--tenant")).cid;
      const clients = await store.directory.clients(cid);
      printResult(context, options, clients, () =>
        formatTable(
          columns,
          clients.map((client) => ({ ...client })),
        ),
      );
    }),
  );
}
