import type { Connection } from "../../dialects/dialect.ts";
import { platformCid } from "../../types/types.ts";
import type { Migration } from "./migration.ts";

/** Writes of the platform, which belong to no tenant; catalogue versions; clients that act as users. */
export const platform: Migration = {
  number: 2,
  name: "platform",
  up: async (connection, dialect) => {
    const { text, integer } = dialect.types;
    for (const table of ["audit_entries", "write_numbers", "write_times"]) {
      await allowForeignCids(connection, table);
    }
    await connection.run(`
      alter table tenants add column catalogue_version ${integer} not null default 0;
      create index tenants_parent_cid on tenants (parent_cid);
      alter table api_clients add column user_uuid ${text};
      insert into write_numbers (cid, resource, number) values ('${platformCid}', '', 0);
      ${dialect.admitPlatform("audit_entries")}`);
  },
};

/** Removes the foreign key from `cid` to the tenants, because the platform is not a tenant. */
async function allowForeignCids(connection: Connection, table: string): Promise<void> {
  if (connection.dialect.engine === "postgres") {
    await connection.run(`alter table ${table} drop constraint ${table}_cid_fkey`);
    return;
  }
  // SQLite cannot drop a constraint, so the table is created again without it.
  const [definition] = await connection.all<{ sql: string }>(
    "select sql from sqlite_schema where type = 'table' and name = ?",
    [table],
  );
  await connection.run(`
    alter table ${table} rename to ${table}_before;
    ${definition?.sql.replace(" references tenants (cid)", "") ?? ""};
    insert into ${table} select * from ${table}_before;
    drop table ${table}_before`);
}
