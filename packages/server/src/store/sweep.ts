import { sql } from "kysely";
import { layoutOf, type Layout } from "./columns.ts";
import type { Connection, Database } from "./dialects/dialect.ts";
import { rowsOf } from "./statements.ts";
import { platformCid, type Resource } from "./types.ts";
import { instantText } from "./view.ts";

/** Scans that began longer ago than this may find their state of the data gone. */
const keptMilliseconds = 3_600_000;
/** Few enough for other writes to get a turn soon. */
const batchSize = 2_000;

/** Deletes versions superseded, and deleted records due, more than an hour ago. */
export async function sweep(
  database: Database,
  resources: readonly Resource[],
  now: Date,
): Promise<void> {
  const { builder } = database.dialect;
  const tenants = await database.read([], (connection) =>
    rowsOf(connection, builder.selectFrom("tenants").select("cid")),
  );
  const until = instantText(new Date(now.getTime() - keptMilliseconds));
  for (const { cid } of [{ cid: platformCid }, ...tenants]) {
    // oxlint-disable-next-line no-await-in-loop -- one tenant after the other: sweeping is never urgent
    const swept = await advance(database, cid, until);
    for (const resource of resources) {
      // oxlint-disable-next-line no-await-in-loop -- see above
      await sweepTable(database, cid, layoutOf(resource), { swept, until });
    }
  }
}

/** Marks what is about to go, before it goes: scans that saw it are refused from now on. */
async function advance(database: Database, cid: string, until: string): Promise<number> {
  const { builder } = database.dialect;
  const due = builder
    .selectFrom("write_times")
    .select(({ fn }) => fn.max("number").as("number"))
    .where("cid", "=", cid)
    .where("at", "<=", until);
  const marked = builder
    .selectFrom("write_numbers")
    .select("swept")
    .where("cid", "=", cid)
    .where("resource", "=", "");
  const [last, standing] = await database.read([cid], async (connection) => [
    await rowsOf(connection, due),
    await rowsOf(connection, marked),
  ]);
  const swept = standing[0]?.swept ?? 0;
  const number = last[0]?.number ?? 0;
  if (number <= swept) return swept;
  await database.write(cid, async (connection) => {
    await rowsOf(
      connection,
      builder
        .updateTable("write_numbers")
        .set({ swept: number })
        .where("cid", "=", cid)
        .where("resource", "=", ""),
    );
    await rowsOf(
      connection,
      builder.deleteFrom("write_times").where("cid", "=", cid).where("number", "<", number),
    );
  });
  return number;
}

async function sweepTable(
  database: Database,
  cid: string,
  layout: Layout,
  { swept, until }: { readonly swept: number; readonly until: string },
): Promise<void> {
  const superseded = sql`valid_to <= ${swept} order by valid_to, row`;
  const due = sql`purge_at <= ${until} and valid_to is null order by purge_at, row`;
  for (const condition of [superseded, due]) {
    const places = sql<{ row: number; valid_from: number }>`
      select row, valid_from from ${sql.table(layout.table)}
      where cid = ${cid} and ${condition} limit ${sql.lit(batchSize)}`;
    const deleteFrom = (connection: Connection, table: string) =>
      rowsOf(
        connection,
        sql`delete from ${sql.table(table)}
          where cid = ${cid} and (row, valid_from) in (${places})`,
      );
    const isLeft = async (connection: Connection) => (await rowsOf(connection, places)).length > 0;
    // oxlint-disable-next-line no-await-in-loop -- batches, each a transaction of its own
    while (await database.read([cid], isLeft)) {
      // oxlint-disable-next-line no-await-in-loop -- see above
      await database.write(cid, async (connection) => {
        await deleteFrom(connection, layout.valuesTable);
        await deleteFrom(connection, layout.table);
      });
    }
  }
}
