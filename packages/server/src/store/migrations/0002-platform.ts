import type { Connection } from "../dialects/dialect.ts";
import { platformCid } from "../types.ts";
import type { Migration } from "./migration.ts";

/** The platform's own writes, which are no tenant's; catalogue versions; clients that act as users. */
export const platform: Migration = {
  number: 2,
  name: "platform",
  up: async (connection, dialect) => {
    const { text, integer } = dialect.types;
    for (const table of ["audit_entries", "write_numbers", "write_times"]) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
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

/** Lifts the reference of `cid` to the tenants: the platform is none. */
async function allowForeignCids(connection: Connection, table: string): Promise<void> {
  if (connection.dialect.engine === "postgres") {
    await connection.run(`alter table ${table} drop constraint ${table}_cid_fkey`);
    return;
  }
  // SQLite drops no constraint: the table is made again without it.
  const [made] = await connection.all<{ sql: string }>(
    "select sql from sqlite_schema where type = 'table' and name = ?",
    [table],
  );
  await connection.run(`
    alter table ${table} rename to ${table}_before;
    ${made?.sql.replace(" references tenants (cid)", "") ?? ""};
    insert into ${table} select * from ${table}_before;
    drop table ${table}_before`);
}
