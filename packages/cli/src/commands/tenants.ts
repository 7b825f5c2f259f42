import { newIdentifier, systemClock, type Tenant } from "@security-platform/server";
import type { Command } from "commander";
import { addDatabaseOptions, withStore, type DatabaseOptions } from "../database.ts";
import { findTenant } from "../tenants.ts";
import { formatTable } from "../terminal/table.ts";
import type { Surroundings } from "../terminal/streams.ts";

export function addTenantsCommand(program: Command, surroundings: Surroundings): void {
  const tenants = program.command("tenants").description("make and list tenants");
  addDatabaseOptions(tenants.command("create <name>"))
    .description("make a tenant")
    .option("--parent <tenant>", "cid or name of its parent")
    .option("--json", "print the tenant as JSON")
    .action((name: string, options: DatabaseOptions & { parent?: string; json?: boolean }) =>
      withStore(options, surroundings, async (store) => {
        const parent =
          options.parent === undefined ? null : (await findTenant(store, options.parent)).cid;
        const tenant: Tenant = {
          cid: newIdentifier(),
          name,
          parent_cid: parent,
          created_at: systemClock.now().toISOString(),
        };
        await store.directory.createTenant(tenant);
        surroundings.stdout.write(
          options.json === true
            ? `${JSON.stringify(tenant)}\n`
            : `${formatTable(["cid", "name", "parent_cid"], [{ ...tenant }])}`,
        );
      }),
    );
  addDatabaseOptions(tenants.command("list"))
    .description("list the tenants")
    .option("--json", "print a JSON array")
    .action((options: DatabaseOptions & { json?: boolean }) =>
      withStore(options, surroundings, async (store) => {
        const all = await store.directory.tenants();
        surroundings.stdout.write(
          options.json === true
            ? `${JSON.stringify(all)}\n`
            : formatTable(
                ["cid", "name", "parent_cid", "created_at"],
                all.map((tenant) => ({ ...tenant })),
              ),
        );
      }),
    );
}
