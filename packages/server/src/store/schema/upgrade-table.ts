import { sql } from "../dialects/sql.ts";
import type { Clock } from "../../foundation/clock.ts";
import { layoutOf } from "../rows/columns.ts";
import { completeRecord, partColumns, type Parts } from "../rows/record-parts.ts";
import type { Connection, Database } from "../dialects/dialect.ts";
import type { Resource, UpgradeProgress } from "../types/types.ts";
import { instantText } from "../reading/view.ts";
import { refreshVersions } from "./fill.ts";

/** Versions per transaction. Other servers' writes to the tenant wait for it. */
const batchSize = 200;

/** The version of a record after which an upgrade goes on. */
export interface Place {
  readonly cid: string;
  readonly row: number;
  readonly valid_from: number;
}

interface Row extends Place, Parts {
  readonly purge_at: string | null;
}

/** A tenant whose versions after the write `since` are upgraded. */
export interface Owner {
  readonly cid: string;
  /** The number of its records. */
  readonly rows: number;
  readonly since: number;
}

interface TableUpgrade {
  readonly resource: Resource;
  readonly owners: readonly Owner[];
  /** Where to begin in the first tenant. Null: the place is not stored. */
  readonly place: Place | null;
  readonly clock: Clock;
  readonly onUpgrade: ((progress: UpgradeProgress) => void) | undefined;
}

/** Returns the number of changed versions. */
export async function upgradeTable(
  database: Database,
  { resource, owners, place, clock, onUpgrade }: TableUpgrade,
): Promise<number> {
  const { table } = layoutOf(resource);
  const records = owners.reduce((sum, { rows }) => sum + rows, 0);
  let progress = { resource: table, read: 0, changed: 0, records };
  for (const { cid, since } of owners) {
    let after = cid === place?.cid ? place : { cid, row: 0, valid_from: 0 };
    for (;;) {
      const now = instantText(clock.now());
      const batch = await database.write(cid, (connection) =>
        upgradeBatch(connection, { resource, after, since, now, keepsPlace: place !== null }),
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
  return progress.changed;
}

interface Batch {
  readonly resource: Resource;
  readonly after: Place;
  readonly since: number;
  readonly now: string;
  readonly keepsPlace: boolean;
}

async function upgradeBatch(
  connection: Connection,
  { resource, after: { cid, row, valid_from }, since, now, keepsPlace }: Batch,
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
      where cid = ${cid} and (row, valid_from) > (${row}, ${valid_from}) and valid_from > ${since}
        and (valid_to is null or valid_to > ${tenant?.swept ?? 0})
        and (purge_at is null or purge_at > ${now})
      order by row, valid_from limit ${sql.literal(batchSize)}`,
  );
  const versions = rows.map((stored) => {
    const record = completeRecord<object>(stored);
    return { stored, record: resource.upgrade?.run(record) ?? record };
  });
  const changed = await refreshVersions(connection, resource, cid, versions);
  const last = rows.at(-1);
  if (last !== undefined && keepsPlace) {
    await connection.send(sql`update record_revisions
      set cid = ${cid}, row = ${last.row}, valid_from = ${last.valid_from}
      where resource = ${table} and target = ${resource.upgrade?.revision ?? 0}`);
  }
  return { read: rows.length, changed, last };
}
