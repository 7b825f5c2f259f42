import { sql } from "../dialects/sql.ts";
import type { Clock } from "../../foundation/clock.ts";
import { layoutOf } from "../rows/columns.ts";
import type { Connection, Database, Reader } from "../dialects/dialect.ts";
import type { Resource, UpgradeProgress } from "../types/types.ts";
import type { Owner, Place } from "./upgrade-table.ts";

interface UpgradeOptions {
  readonly clock: Clock;
  readonly resources: readonly Resource[];
  readonly onUpgrade: ((progress: UpgradeProgress) => void) | undefined;
}

interface StoredRevision extends Place {
  readonly resource: string;
  readonly revision: number;
  readonly target: number | null;
}

/** Few starts need it, and pages download what is imported. */
const loadUpgrade = () => import("./upgrade-table.ts");

const start: Place = { cid: "", row: 0, valid_from: 0 };

const revisionOf = ({ upgrade }: Resource): number => upgrade?.revision ?? 0;

const storedRevisions = async (
  connection: Reader,
): Promise<ReadonlyMap<string, StoredRevision>> => {
  const stored = await connection.all(
    sql<StoredRevision>`select resource, revision, target, cid, row, valid_from from record_revisions`,
  );
  return new Map(stored.map((each) => [each.resource, each]));
};

/** What an upgrade of this version does with the records of a resource. */
const isDue = (resource: Resource, from: StoredRevision | undefined): boolean => {
  if (from === undefined) return resource.upgrade !== undefined;
  // Otherwise a later version has upgraded the records, or is doing so.
  return from.revision < revisionOf(resource) || from.target === revisionOf(resource);
};

/** How this version and the one that wrote the records last differ. */
export async function compareRevisions(
  connection: Connection,
  resources: readonly Resource[],
): Promise<{ readonly isDue: boolean; readonly isLater: boolean }> {
  const revisions = await storedRevisions(connection);
  const stored = (resource: Resource) => revisions.get(layoutOf(resource).table);
  return {
    isDue: resources.some((resource) => isDue(resource, stored(resource))),
    isLater: resources.some((resource) => {
      const { revision = 0, target = null } = stored(resource) ?? {};
      return Math.max(revision, target ?? 0) > revisionOf(resource);
    }),
  };
}

/** All versions of a resource are due, because its tables have new columns. Runs inside the owner's transaction. */
export const makeDue = (connection: Connection, resource: Resource): Promise<void> =>
  connection.send(sql`
    insert into record_revisions (resource, revision, target, cid, row, valid_from)
    values (${layoutOf(resource).table}, 0, 0, '', 0, 0)
    on conflict (resource) do update
    set target = record_revisions.revision, cid = '', row = 0, valid_from = 0`);

/**
 * Upgrades the records of each resource whose revision is not that of the database, or whose tables have new columns.
 * Each batch of a tenant is a transaction, which also stores the place. Several servers may do this at the same time.
 */
export async function upgradeRecords(
  database: Database,
  { clock, resources, onUpgrade }: UpgradeOptions,
): Promise<void> {
  const revisions = await database.read([], storedRevisions);
  for (const resource of resources) {
    const { table } = layoutOf(resource);
    const from = revisions.get(table);
    if (!isDue(resource, from)) continue;
    const revision = revisionOf(resource);
    // Another version of the server may have begun another upgrade, and its place is not that of this one.
    const place = from?.target === revision ? from : start;
    const before = from?.revision ?? 0;
    await setRevision(database, { ...place, resource: table, revision: before, target: revision });
    const owners = await database.read([], (connection) =>
      connection.all(sql<Owner>`select cid, rows, 0 as since from write_numbers
        where resource = ${table} and cid >= ${place.cid} order by cid`),
    );
    const { upgradeTable } = await loadUpgrade();
    await upgradeTable(database, { resource, owners, place, clock, onUpgrade });
    await database.write(null, (connection) =>
      connection.send(sql`
        update record_revisions
        set revision = ${revision}, target = null, cid = '', row = 0, valid_from = 0
        where resource = ${table} and target = ${revision}`),
    );
  }
}

/** The setting that is the time of the last sign of a server of an earlier version. */
const besideName = "schema.beside";
/** An upgrade of servers one after the other takes less. */
const besideMilliseconds = 24 * 60 * 60 * 1_000;

/**
 * Servers of an earlier version may write from now on. What each tenant has written before is in the form of this
 * version, or will be after the upgrade that follows. Runs inside the owner's transaction.
 */
export async function expectEarlier(connection: Connection, now: Date): Promise<void> {
  const [known] = await connection.all(
    sql<{ value: string }>`select value from settings where name = ${besideName}`,
  );
  if (known === undefined) {
    await connection.send(sql`update write_numbers set upgraded = number where resource = ''`);
  }
  await noteEarlier(connection, now);
}

const noteEarlier = (connection: Connection, now: Date): Promise<void> =>
  connection.send(sql`insert into settings (name, value) values (${besideName}, ${now.toISOString()})
    on conflict (name) do update set value = excluded.value`);

/**
 * Upgrades what servers of an earlier version have written since the last time. `isLast`: none is left. Otherwise they
 * may go on for a day after their last sign.
 */
export async function catchUp(
  database: Database,
  { clock, resources, onUpgrade }: UpgradeOptions,
  isLast = false,
): Promise<void> {
  const [beside] = await database.read([], (connection) =>
    connection.all(sql<{ value: string }>`select value from settings where name = ${besideName}`),
  );
  if (beside === undefined) return;
  const now = clock.now();
  const { tenants, written } = await database.read([], async (connection) => ({
    tenants: await connection.all(
      sql<{ cid: string; number: number }>`select cid, number from write_numbers
        where resource = '' and number > upgraded order by cid`,
    ),
    written: await connection.all(
      sql<Owner & { resource: string }>`
        select own.cid, own.resource, own.rows, tenant.upgraded as since
        from write_numbers as own
        join write_numbers as tenant on tenant.cid = own.cid and tenant.resource = ''
        where own.resource <> '' and own.number > tenant.upgraded order by own.cid`,
    ),
  }));
  const { upgradeTable } = await loadUpgrade();
  const ofTable = Map.groupBy(written, ({ resource }) => resource);
  let changed = 0;
  for (const resource of resources) {
    const owners = ofTable.get(layoutOf(resource).table) ?? [];
    changed += await upgradeTable(database, { resource, owners, place: null, clock, onUpgrade });
  }
  const isOver =
    isLast || (changed === 0 && now.getTime() - Date.parse(beside.value) > besideMilliseconds);
  await database.write(null, async (connection) => {
    for (const { cid, number } of tenants) {
      await connection.send(sql`update write_numbers set upgraded = ${number}
        where cid = ${cid} and resource = '' and upgraded < ${number}`);
    }
    if (isOver) await connection.send(sql`delete from settings where name = ${besideName}`);
    else if (changed > 0) await noteEarlier(connection, now);
  });
}

const setRevision = (database: Database, stored: StoredRevision): Promise<void> => {
  const { resource, revision, target, cid, row, valid_from } = stored;
  return database.write(null, (connection) =>
    connection.send(sql`
      insert into record_revisions (resource, revision, target, cid, row, valid_from)
      values (${resource}, ${revision}, ${target}, ${cid}, ${row}, ${valid_from})
      on conflict (resource) do update set revision = excluded.revision, target = excluded.target,
        cid = excluded.cid, row = excluded.row, valid_from = excluded.valid_from`),
  );
};
