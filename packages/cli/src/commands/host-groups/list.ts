import { listHostGroups, systemClock } from "@security-platform/server";
import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { jsonOption, tenantOption } from "../../options/shared.ts";
import { chosenTenant } from "../../tenants.ts";
import { answer, type AnswerOptions } from "../../terminal/answer.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { formatTable } from "../../terminal/table.ts";

interface ListOptions extends DatabaseOptions, AnswerOptions {
  readonly tenant?: string;
}

const columns = ["id", "name", "group_type", "hosts"];

export function addListCommand(groups: Command, surroundings: Surroundings): void {
  const command = groups
    .command("list")
    .summary("list the host groups of a tenant")
    .description("List the host groups of a tenant, and how many hosts are in each.")
    .addOption(tenantOption())
    .addOption(jsonOption());
  addDatabaseOptions(command).action((options: ListOptions) =>
    withStore({ ...options, create: false }, surroundings, async (store) => {
      const { cid } = await chosenTenant(store, options, surroundings);
      const found = await listHostGroups(store, systemClock, cid);
      answer(surroundings, options, found, () =>
        formatTable(
          columns,
          found.map((group) => ({ ...group })),
        ),
      );
    }),
  );
}
