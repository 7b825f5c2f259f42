import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatTable } from "../../terminal/table.ts";

const columns = ["cid", "name", "parent_cid", "created_at"];

export function addListCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("list")
    .summary("list the tenants")
    .description("List the tenants.")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat tenants list"));
  addDatabaseOptions(command).action((options: DatabaseOptions & ResultOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const tenants = await store.directory.tenants();
      printResult(context, options, tenants, () =>
        formatTable(
          columns,
          tenants.map((tenant) => ({ ...tenant })),
        ),
      );
    }),
  );
}
