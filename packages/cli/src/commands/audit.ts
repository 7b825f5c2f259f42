import type { Command } from "commander";
import { addDatabaseOptions, withStore, type DatabaseOptions } from "../database.ts";
import { readInteger } from "../options.ts";
import { findTenant } from "../tenants.ts";
import { formatTable } from "../terminal/table.ts";
import type { Surroundings } from "../terminal/streams.ts";

interface AuditOptions extends DatabaseOptions {
  readonly tenant?: string;
  readonly limit: number;
  readonly before?: number;
  readonly json?: boolean;
}

export function addAuditCommand(program: Command, surroundings: Surroundings): void {
  addDatabaseOptions(program.command("audit"))
    .description("show who changed what, newest first")
    .option("--tenant <tenant>", "cid or name of the tenant (default: the only one)")
    .option("--limit <count>", "entries to show", readInteger(1, 10_000), 50)
    .option("--before <number>", "only entries older than this number", readInteger(1))
    .option("--json", "print one JSON object a line")
    .action((options: AuditOptions) =>
      withStore(options, surroundings, async (store) => {
        const { cid } = await findTenant(store, options.tenant);
        const entries = await store.directory.auditEntries({
          cid,
          limit: options.limit,
          ...(options.before === undefined ? {} : { before: options.before }),
        });
        surroundings.stdout.write(
          options.json === true
            ? entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")
            : formatTable(
                ["number", "at", "actor", "operation", "ids", "comment"],
                entries.map((entry) => ({ ...entry })),
              ),
        );
      }),
    );
}
