import { listHostGroups, systemClock } from "@security-platform/server/internal";
import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption, tenantOption } from "../../options/shared.ts";
import { chosenTenant } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatTable } from "../../terminal/table.ts";

interface ListOptions extends DatabaseOptions, ResultOptions {
  readonly tenant?: string;
}

const columns = ["id", "name", "group_type", "hosts"];

export function addListCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("list")
    .summary("list the host groups of a tenant")
    .description("List the host groups of a tenant, with the number of hosts in each.")
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples("secplat host-groups list", 'secplat host-groups list --tenant "Harbour Demo"'),
    );
  addDatabaseOptions(command).action((options: ListOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const { cid } = await chosenTenant(store, options, context);
      const groups = await listHostGroups(store, systemClock, cid);
      printResult(context, options, groups, () =>
        formatTable(
          columns,
          groups.map((group) => ({ ...group })),
        ),
      );
    }),
  );
}
