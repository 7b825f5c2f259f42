import type { Database, Reader } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import { layoutOf, type Layout } from "../rows/columns.ts";
import { bytesOf } from "../statements/record-bytes.ts";
import type { TenantSize } from "../types/sizes.ts";
import type { Resource } from "../types/types.ts";
import { pause } from "../../foundation/work-turns.ts";

/** Number of records that one statement adds up. */
const batchSize = 5_000;

export async function databaseSize(database: Database): Promise<number> {
  const [row] = await database.read([], (connection) =>
    connection.all(database.dialect.databaseSize),
  );
  return Number(row?.bytes ?? 0);
}

/** The live records as they were after the tenant's last write, so that later writes can be added to the sum. */
export async function tenantSize(
  database: Database,
  resources: readonly Resource[],
  cid: string,
  known: number | undefined,
): Promise<TenantSize | null> {
  const rows = await database.read([cid], (connection) =>
    connection.all(
      sql<{ resource: string; number: number }>`
        select resource, number from write_numbers where cid = ${cid}`,
    ),
  );
  const number = rows.find(({ resource }) => resource === "")?.number ?? 0;
  if (number === known) return null;
  const written = new Set(rows.map(({ resource }) => resource));
  let bytes = 0;
  for (const layout of resources.map(layoutOf)) {
    if (written.has(layout.table)) bytes += await bytesIn(database, layout, cid, number);
  }
  return { bytes, number };
}

async function bytesIn(
  database: Database,
  layout: Layout,
  cid: string,
  number: number,
): Promise<number> {
  let bytes = 0;
  for (let after = 0; ;) {
    const part = sql<{ last: number | null; count: number; bytes: number | null }>`
      select max(row) as last, count(*) as count, sum(bytes) as bytes from (
        select t.row, ${bytesOf(layout)} as bytes from ${sql.id(layout.table)} as t
        where t.cid = ${cid} and t.row > ${after} and t.valid_from <= ${number}
          and (t.valid_to is null or t.valid_to > ${number}) and t.purge_at is null
        order by t.row limit ${sql.literal(batchSize)}) as part`;
    const [sum] = await database.read([cid], (connection) =>
      (connection.aside?.(cid) ?? (connection as Reader)).all(part),
    );
    bytes += Number(sum?.bytes ?? 0);
    after = sum?.last ?? after;
    if ((sum?.count ?? 0) < batchSize) return bytes;
    await pause();
  }
}
