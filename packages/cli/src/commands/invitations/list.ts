import { listInvitations, systemClock } from "@security-platform/server";
import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { readInteger } from "../../options/read-integer.ts";
import { jsonOption } from "../../options/shared.ts";
import { findTenant } from "../../tenants.ts";
import { answer, type AnswerOptions } from "../../terminal/answer.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { formatTable } from "../../terminal/table.ts";

interface ListOptions extends DatabaseOptions, AnswerOptions {
  readonly tenant?: string;
  readonly limit: number;
}

const columns = ["invitation_id", "status", "invitee_email", "target_cid", "expires_at"];

export function addListCommand(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .summary("list the invitations")
    .description("List the invitations with any status, newest first.")
    .option("--tenant <tenant>", "cid or name of the inviting tenant (default: all tenants)")
    .option("--limit <count>", "number of invitations", readInteger(1, 10_000), 50)
    .addOption(jsonOption());
  addDatabaseOptions(command).action((options: ListOptions) =>
    withStore({ ...options, create: false }, surroundings, async (store) => {
      const { tenant, limit } = options;
      const cid =
        tenant === undefined ? undefined : (await findTenant(store, tenant, "--tenant")).cid;
      const invitations = await listInvitations(store, systemClock.now(), { cid, limit });
      answer(surroundings, options, invitations, () =>
        formatTable(
          columns,
          invitations.map((invitation) => ({ ...invitation })),
        ),
      );
    }),
  );
}
