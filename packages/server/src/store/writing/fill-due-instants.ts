import { sql } from "../dialects/sql.ts";
import { layoutOf } from "../rows/columns.ts";
import type { Connection } from "../dialects/dialect.ts";
import { followDueInstants } from "./due-instants.ts";
import type { JsonObject, Resource } from "../types/types.ts";
import { completeRecord, partColumns, type Parts } from "../rows/record-parts.ts";

const batchSize = 1_000;

interface LiveRow extends Parts {
  readonly cid: string;
  readonly row: number;
}

/**
 * Enqueues the jobs of a resource's new due instants for all live records. Runs inside the owner's
 * transaction, which sees every tenant.
 */
export async function enqueueDueInstants(
  connection: Connection,
  resource: Resource,
  names: readonly string[],
  now: Date,
): Promise<void> {
  const { table } = layoutOf(resource);
  const due = Object.fromEntries(
    Object.entries(resource.due ?? {}).filter(([name]) => names.includes(name)),
  );
  let last = { cid: "", row: 0 };
  for (;;) {
    const rows = await connection.all(sql<LiveRow>`
      select cid, row, ${partColumns(resource)} from ${sql.id(table)}
      where (cid, row) > (${last.cid}, ${last.row}) and valid_to is null and purge_at is null
      order by cid, row limit ${sql.literal(batchSize)}`);
    for (const [cid, owned] of Map.groupBy(rows, (row) => row.cid)) {
      const changes = owned.map((row) => ({
        before: null,
        after: completeRecord<JsonObject>(row),
      }));
      await followDueInstants(connection, cid, { ...resource, due }, changes, now);
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < batchSize) return;
    last = end;
  }
}
