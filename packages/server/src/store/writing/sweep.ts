import { sql } from "../dialects/sql.ts";
import { layoutOf, type Layout } from "../rows/columns.ts";
import type { Connection, Database } from "../dialects/dialect.ts";
import type { Resource, Swept } from "../types/types.ts";
import { instantText } from "../reading/view.ts";

/** Time for which a scan can continue. Later it may fail, because older versions of records are deleted. */
export const scanMilliseconds = 3_600_000;

/** Small, so that other writes do not wait long. */
const batchSize = 2_000;

/** A resource of a tenant that may have rows to delete. */
interface Candidate {
  readonly cid: string;
  /** The name of the table. */
  readonly resource: string;
  /** The last write to it. */
  readonly number: number;
  /** Versions superseded up to this write have been deleted. */
  readonly swept: number;
  readonly purge_at: string | null;
}

/**
 * Deletes versions that were superseded more than an hour ago, and deleted records that were due more than an
 * hour ago. One query finds the tables with something to delete; no other table is read.
 */
export async function sweep(
  database: Database,
  resources: readonly Resource[],
  now: Date,
  signal?: AbortSignal,
): Promise<Swept> {
  const until = instantText(new Date(now.getTime() - scanMilliseconds));
  const layouts = new Map(resources.map(layoutOf).map((layout) => [layout.table, layout]));
  const candidates = await database.read([], (connection) =>
    connection.all(sql<Candidate>`
      select cid, resource, number, swept, purge_at from write_numbers
      where resource <> '' and (number > swept or purge_at <= ${until})`),
  );
  const tenants = Map.groupBy(candidates, ({ cid }) => cid);
  let rows = 0;
  for (const [cid, tables] of tenants) {
    const swept = await advance(database, cid, until);
    for (const candidate of tables) {
      const layout = layouts.get(candidate.resource);
      // Nothing is due since the last sweep of this table, or only another version of the server knows the
      // table.
      if (layout === undefined || !isBehind(candidate, swept, until)) continue;
      rows += await sweepTable(database, cid, layout, { swept, until, signal });
    }
  }
  return { tenants: tenants.size, rows };
}

const isBehind = (candidate: Candidate, swept: number, until: string): boolean =>
  candidate.swept < swept || (candidate.purge_at !== null && candidate.purge_at <= until);

/** Marks versions before they are deleted. From then on, scans that see them are refused. */
async function advance(database: Database, cid: string, until: string): Promise<number> {
  const ofTenant = sql`cid = ${cid} and resource = ''`;
  const [progress, last] = await database.read([cid], async (connection) => [
    await connection.all(sql<{ swept: number }>`select swept from write_numbers where ${ofTenant}`),
    await connection.all(
      sql<{ number: number | null }>`select max(number) as number from write_times
        where cid = ${cid} and at <= ${until}`,
    ),
  ]);
  const swept = progress[0]?.swept ?? 0;
  const number = last[0]?.number ?? 0;
  if (number <= swept) return swept;
  await database.write(cid, async (connection) => {
    // Another sweep may have marked later versions since the read.
    await connection.send(
      sql`update write_numbers set swept = ${number} where ${ofTenant} and swept < ${number}`,
    );
    await connection.send(sql`delete from write_times where cid = ${cid} and number < ${number}`);
  });
  return number;
}

interface Limits {
  readonly swept: number;
  readonly until: string;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the number of deleted rows. */
async function sweepTable(
  database: Database,
  cid: string,
  layout: Layout,
  { swept, until, signal }: Limits,
): Promise<number> {
  const superseded = sql`valid_to <= ${swept} order by valid_to, row`;
  const due = sql`purge_at <= ${until} and valid_to is null order by purge_at, row`;
  let removed = 0;
  for (const condition of [superseded, due]) {
    const places = sql<{ row: number; valid_from: number }>`
      select row, valid_from from ${sql.id(layout.table)}
      where cid = ${cid} and ${condition} limit ${sql.literal(batchSize)}`;
    const deleteFrom = (connection: Connection, table: string) =>
      connection.send(sql`delete from ${sql.id(table)}
        where cid = ${cid} and (row, valid_from) in (${places})`);
    const left = async (connection: Connection) => (await connection.all(places)).length;
    for (let count; (count = await database.read([cid], left)) > 0; removed += count) {
      signal?.throwIfAborted();
      await database.write(cid, async (connection) => {
        await deleteFrom(connection, layout.valuesTable);
        if (layout.wordsTable !== null) await deleteFrom(connection, layout.wordsTable);
        await deleteFrom(connection, layout.table);
      });
    }
  }
  await database.write(cid, (connection) => markSwept(connection, cid, layout, swept));
  return removed;
}

async function markSwept(
  connection: Connection,
  cid: string,
  { table }: Layout,
  swept: number,
): Promise<void> {
  const place = sql`where cid = ${cid} and resource = ${table}`;
  // Locks the row, so that the next statement sees every deletion that has stored its instant here.
  await connection.send(sql`update write_numbers set swept = ${swept} ${place}`);
  await connection.send(sql`update write_numbers set purge_at = (
    select min(purge_at) from ${sql.id(table)} where cid = ${cid} and valid_to is null) ${place}`);
}
