import type { Command } from "commander";
import { addConnectionOptions, withClient } from "../../api/connection.ts";
import type { ConnectionOptions } from "../../api/resolve-connection.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatTable } from "../../terminal/table.ts";

interface ListOptions extends ConnectionOptions, ResultOptions {
  readonly filter?: string;
}

const columns = ["id", "resource", "status", "retries", "created_at", "updated_at"];

export function addListCommand(exports: Command, context: CliContext): void {
  const command = exports
    .command("list")
    .summary("list the exports")
    .description("List the last 100 exports of the tenant, newest first.")
    .option("--filter <fql>", "only exports that match this filter: by resource and status")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat exports list --filter \"status:'DONE'\""));
  addConnectionOptions(command, "the scope container-image:read").action((options: ListOptions) =>
    withClient(options, context, async (client) => {
      const { filter } = options;
      const { data: ids } = await client.container.listExportIds(
        filter === undefined ? {} : { filter },
      );
      const records = ids.length === 0 ? [] : (await client.container.getExports({ ids })).data;
      printResult(context, options, records, () =>
        formatTable(
          columns,
          records.map((each) => ({ ...each })),
        ),
      );
    }),
  );
}
