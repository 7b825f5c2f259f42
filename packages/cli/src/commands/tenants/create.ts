import {
  createTenant,
  newIdentifier,
  systemClock,
  type Store,
  type Tenant,
} from "@security-platform/server/internal";
import type { Command } from "commander";
import { recordAudit } from "../../audit-trail.ts";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { readName } from "../../options/read-name.ts";
import { jsonOption, readTenant } from "../../options/shared.ts";
import { findTenant } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatFacts } from "../../terminal/table.ts";

interface CreateOptions extends DatabaseOptions, ResultOptions {
  readonly parent?: string;
}

export function addCreateCommand(tenants: Command, context: CliContext): void {
  const command = tenants
    .command("create")
    .argument("<name>", "name of the tenant", readName)
    .summary("create a tenant")
    .description("Create a tenant, and the database if it does not exist.")
    .option(
      "--parent <tenant>",
      "cid or name of the parent tenant, whose indicators it inherits",
      readTenant,
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat tenants create "Acme Corp"
  secplat tenants create "Acme Berlin" --parent "Acme Corp"`,
    );
  addDatabaseOptions(command).action((name: string, options: CreateOptions) =>
    withStore({ ...options, create: true }, context, async (store) => {
      const parent =
        options.parent === undefined ? null : await findTenant(store, options.parent, "--parent");
      await refuseTwins(store, name, parent);
      const tenant: Tenant = {
        cid: newIdentifier(),
        name,
        parent_cid: parent?.cid ?? null,
        created_at: systemClock.now().toISOString(),
      };
      await createTenant(store, systemClock, tenant);
      await recordAudit(store, tenant.cid, "tenants create", [tenant.cid]);
      printResult(context, options, tenant, () =>
        formatFacts([
          ["cid", tenant.cid],
          ["name", tenant.name],
          ["parent", parent === null ? null : `${parent.cid} ${parent.name}`],
        ]),
      );
    }),
  );
}

/** A second tenant with the same name and parent is probably a repeated command. */
async function refuseTwins(store: Store, name: string, parent: Tenant | null): Promise<void> {
  const tenants = await store.directory.tenants();
  const twin = tenants.find(
    (tenant) => tenant.name === name && tenant.parent_cid === (parent?.cid ?? null),
  );
  if (twin === undefined) return;
  throw new CommandError(`a tenant "${name}" already exists: ${twin.cid}; choose another name`);
}
