import { sql } from "../dialects/sql.ts";
import type { Clock } from "../../foundation/clock.ts";
import { layoutOf } from "../rows/columns.ts";
import {
  completeRecord,
  hiddenText,
  partColumns,
  servedPart,
  type Parts,
} from "../rows/record-parts.ts";
import type { Connection, Database } from "../dialects/dialect.ts";
import { fillVersions, type FilledVersion } from "./fill.ts";
import type { Resource, Upgrade } from "../types/types.ts";
import { instantText } from "../reading/view.ts";

/** Versions per transaction. Other servers' writes to the tenant wait for it. */
const batchSize = 500;

export interface UpgradeProgress {
  /** The name of the table. */
  readonly resource: string;
  /** Number of versions that the upgrade has read. */
  readonly read: number;
  /** Number of changed records. */
  readonly changed: number;
  /** Number of records in the table, including those that were deleted. */
  readonly records: number;
}

interface UpgradeOptions {
  readonly clock: Clock;
  readonly resources: readonly Resource[];
  readonly onUpgrade: ((progress: UpgradeProgress) => void) | undefined;
}

interface Place {
  readonly cid: string;
  readonly row: number;
  readonly valid_from: number;
}

interface StoredRevision extends Place {
  readonly resource: string;
  readonly revision: number;
  readonly target: number | null;
}

interface Row extends Place, Parts {
  readonly purge_at: string | null;
}

const start: Place = { cid: "", row: 0, valid_from: 0 };

/**
 * Upgrades the records of each resource whose revision is not that of the database. Each batch of a tenant is a
 * transaction, which also stores the place. Several servers may do this at the same time.
 */
export async function upgradeRecords(
  database: Database,
  { clock, resources, onUpgrade }: UpgradeOptions,
): Promise<void> {
  const stored = await database.read([], (connection) =>
    connection.all(sql<StoredRevision>`select * from record_revisions`),
  );
  const revisions = new Map(stored.map((each) => [each.resource, each]));
  for (const resource of resources) {
    const { upgrade } = resource;
    const { table } = layoutOf(resource);
    const from = revisions.get(table);
    if (upgrade === undefined || from?.revision === upgrade.revision) continue;
    const { revision } = upgrade;
    // A newer version of the server upgrades the records again that this one writes.
    if (from !== undefined && from.revision > revision) {
      await setRevision(database, { ...start, resource: table, revision, target: null });
      continue;
    }
    // Another version of the server may have begun another upgrade.
    const place = from?.target === revision ? from : start;
    const before = from?.revision ?? 0;
    await setRevision(database, { ...place, resource: table, revision: before, target: revision });
    await upgradeTable(database, { resource, upgrade, place, clock, onUpgrade });
    await setRevision(database, { ...start, resource: table, revision, target: null });
  }
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

interface TableUpgrade {
  readonly resource: Resource;
  readonly upgrade: Upgrade<object>;
  readonly place: Place;
  readonly clock: Clock;
  readonly onUpgrade: ((progress: UpgradeProgress) => void) | undefined;
}

async function upgradeTable(
  database: Database,
  { resource, upgrade, place, clock, onUpgrade }: TableUpgrade,
): Promise<void> {
  const { table } = layoutOf(resource);
  const owners = await database.read([], (connection) =>
    connection.all(sql<{ cid: string; rows: number }>`select cid, rows from write_numbers
      where resource = ${table} and cid >= ${place.cid} order by cid`),
  );
  const records = owners.reduce((sum, { rows }) => sum + rows, 0);
  let progress = { resource: table, read: 0, changed: 0, records };
  for (const { cid } of owners) {
    let after = cid === place.cid ? place : { ...start, cid };
    for (;;) {
      const now = instantText(clock.now());
      const batch = await database.write(cid, (connection) =>
        upgradeBatch(connection, { resource, upgrade, after, now }),
      );
      progress = {
        ...progress,
        read: progress.read + batch.read,
        changed: progress.changed + batch.changed,
      };
      onUpgrade?.(progress);
      if (batch.last === undefined || batch.read < batchSize) break;
      after = batch.last;
    }
  }
}

interface Batch {
  readonly resource: Resource;
  readonly upgrade: Upgrade<object>;
  readonly after: Place;
  readonly now: string;
}

async function upgradeBatch(
  connection: Connection,
  { resource, upgrade, after: { cid, row, valid_from }, now }: Batch,
) {
  const { table } = layoutOf(resource);
  // Holds off the tenant's writes and the mark of the sweep. So the versions that are read next stay until the end
  // of the transaction.
  const [tenant] = await connection.all(
    sql<{ swept: number }>`update write_numbers set number = number
      where cid = ${cid} and resource = '' returning swept`,
  );
  const rows = await connection.all(
    sql<Row>`select cid, row, valid_from, purge_at, ${partColumns(resource)} from ${sql.id(table)}
      where cid = ${cid} and (row, valid_from) > (${row}, ${valid_from})
        and (valid_to is null or valid_to > ${tenant?.swept ?? 0})
        and (purge_at is null or purge_at > ${now})
      order by row, valid_from limit ${sql.literal(batchSize)}`,
  );
  const outdated = rows.flatMap((stored): readonly FilledVersion[] => {
    const before = completeRecord<object>(stored);
    const after = upgrade.run(before);
    return isStored(resource, stored, after) ? [] : [{ stored, before, after }];
  });
  await fillVersions(connection, resource, outdated);
  const last = rows.at(-1);
  if (last !== undefined) {
    await connection.send(sql`update record_revisions
      set cid = ${cid}, row = ${last.row}, valid_from = ${last.valid_from}
      where resource = ${table}`);
  }
  return { read: rows.length, changed: outdated.length, last };
}

const isStored = (resource: Resource, { doc, hidden }: Parts, record: object): boolean =>
  JSON.stringify(servedPart(resource, record)) === doc && hiddenText(resource, record) === hidden;
