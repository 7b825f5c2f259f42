import type { Command } from "commander";
import { withStore } from "../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../database/options.ts";
import { readInteger } from "../options/read-integer.ts";
import { jsonOption, tenantOption } from "../options/shared.ts";
import { chosenTenant } from "../tenants.ts";
import { printResult, type ResultOptions } from "../terminal/print-result.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { formatTable } from "../terminal/table.ts";

interface AuditOptions extends DatabaseOptions, ResultOptions {
  readonly tenant?: string;
  readonly limit: number;
  readonly before?: number;
}

const columns = ["number", "at", "actor", "client_id", "operation", "ids", "comment"];

export function addAuditCommand(program: Command, context: CliContext): void {
  const command = program
    .command("audit")
    .description(
      "Show the changes in a tenant, newest first. The actor is the user that an API client acts as, otherwise the API client; for commands it is cli.",
    )
    .addOption(tenantOption())
    .option("--limit <count>", "number of entries", readInteger(1, 10_000), 50)
    .option("--before <number>", "only entries older than this number", readInteger(1))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat audit --limit 10
  secplat audit --json | jq -r '.[] | select(.comment != null) | .comment'`,
    );
  addDatabaseOptions(command).action((options: AuditOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const { cid } = await chosenTenant(store, options, context);
      const { limit, before } = options;
      const entries = await store.directory.auditEntries({
        cid,
        limit,
        ...(before === undefined ? {} : { before }),
      });
      printResult(context, options, entries, () =>
        formatTable(
          columns,
          entries.map((entry) => ({ ...entry })),
        ),
      );
    }),
  );
}
