import { listMails, systemClock } from "@security-platform/server";
import type { Command } from "commander";
import { withStore } from "../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../database/options.ts";
import { readInteger } from "../options/read-integer.ts";
import { jsonOption } from "../options/shared.ts";
import { findTenant } from "../tenants.ts";
import { answer, type AnswerOptions } from "../terminal/answer.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { formatTable } from "../terminal/table.ts";

interface OutboxOptions extends DatabaseOptions, AnswerOptions {
  readonly tenant?: string;
  readonly limit: number;
}

const columns = ["created_at", "kind", "state", "to", "subject"];

export function addOutboxCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command("outbox")
    .summary("show the mails sent by the platform")
    .description("Show the mails sent by the platform, newest first; --json includes their text.")
    .option("--tenant <tenant>", "cid or name of the sending tenant (default: all tenants)")
    .option("--limit <count>", "number of mails", readInteger(1, 10_000), 50)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat outbox --limit 10
  secplat outbox --json | jq -r '.[0].text'`,
    );
  addDatabaseOptions(command).action((options: OutboxOptions) =>
    withStore({ ...options, create: false }, surroundings, async (store) => {
      const { tenant, limit } = options;
      const cid =
        tenant === undefined ? undefined : (await findTenant(store, tenant, "--tenant")).cid;
      const mails = await listMails(store, systemClock.now(), { cid, limit });
      answer(surroundings, options, mails, () =>
        formatTable(
          columns,
          mails.map((mail) => ({ ...mail })),
        ),
      );
    }),
  );
}
