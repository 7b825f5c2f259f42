import { sql } from "kysely";
import { layoutOf } from "../rows/columns.ts";
import type { Connection } from "../dialects/dialect.ts";
import { followDueInstants } from "./due-instants.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, Statements, Template } from "../statements/statements.ts";
import type { JsonObject, Resource } from "../types/types.ts";
import { completeRecord } from "../rows/record-parts.ts";

const batchSize = 1_000;

interface LiveRow {
  readonly cid: string;
  readonly row: number;
  readonly doc: string;
  readonly hidden: string | null;
}

interface PlacePlan {
  readonly cid: Parameter<string>;
  readonly row: Parameter<number>;
}

const nextRows = new Template<PlacePlan, LiveRow>(
  ({ cid, row }, { layout: { resource, table } }) => {
    const hidden = resource.hidden === undefined ? sql`null` : sql.id("hidden");
    return sql<LiveRow>`select cid, row, doc, ${hidden} as hidden from ${sql.table(table)}
      where (cid, row) > (${bind(cid)}, ${bind(row)}) and valid_to is null and purge_at is null
      order by cid, row limit ${sql.lit(batchSize)}`;
  },
);

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
  const layout = layoutOf(resource);
  const statements = new Statements(connection.dialect);
  const due = Object.fromEntries(
    Object.entries(resource.due ?? {}).filter(([name]) => names.includes(name)),
  );
  let last = { cid: "", row: 0 };
  for (;;) {
    const place = { cid: new Parameter(last.cid), row: new Parameter(last.row) };
    const rows = await statements.run(connection, nextRows, layout, place);
    for (const [cid, owned] of Map.groupBy(rows, (row) => row.cid)) {
      const changes = owned.map((row) => ({
        before: null,
        after: completeRecord<JsonObject>(row),
      }));
      await followDueInstants(connection, statements, cid, { ...resource, due }, changes, now);
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < batchSize) return;
    last = end;
  }
}
