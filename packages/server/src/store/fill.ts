import { sql } from "kysely";
import { layoutOf, type Layout } from "./columns.ts";
import type { Bindable, Connection, Dialect } from "./dialects/dialect.ts";
import { elementRow, rowValues, uniqueKeyColumn } from "./row-values.ts";
import { prepare, run, slot, type Statement } from "./statements.ts";
import type { Resource } from "./types.ts";
import { wholeOf } from "./whole.ts";

const batchSize = 1_000;

interface StoredRow {
  readonly cid: string;
  readonly row: number;
  readonly valid_from: number;
  readonly purge_at: string | null;
  readonly doc: string;
  readonly hidden: string | null;
}

/**
 * Fills every column that follows from the records, of all versions of all tenants, in batches.
 * Inside the owner's transaction. Gives the number of versions.
 */
export async function fillRows(connection: Connection, resource: Resource): Promise<number> {
  const layout = layoutOf(resource);
  const { table, valuesTable } = layout;
  const hidden = resource.hidden === undefined ? sql`null` : sql.id("hidden");
  const nextRows = prepare(
    connection.dialect,
    sql<StoredRow>`select cid, row, valid_from, purge_at, doc, ${hidden} as hidden
      from ${sql.table(table)}
      where (cid, row, valid_from) > (${slot(0)}, ${slot(1)}, ${slot(2)})
      order by cid, row, valid_from limit ${sql.lit(batchSize)}`,
  );
  const update = updateStatement(connection.dialect, layout);
  await connection.run(`delete from "${valuesTable}"`);
  let filled = 0;
  let last: readonly Bindable[] = ["", 0, 0];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the next batch begins where this one ends
    const rows = await run(connection, nextRows, last);
    // oxlint-disable-next-line no-await-in-loop -- constant memory
    await fillBatch(connection, resource, layout, rows, update);
    filled += rows.length;
    const end = rows.at(-1);
    if (end === undefined || rows.length < batchSize) return filled;
    last = [end.cid, end.row, end.valid_from];
  }
}

async function fillBatch(
  connection: Connection,
  resource: Resource,
  layout: Layout,
  rows: readonly StoredRow[],
  update: Statement<unknown>,
): Promise<void> {
  const elements: (readonly Bindable[])[] = [];
  const updates = rows.map(({ cid, row, valid_from: validFrom, purge_at, ...parts }) => {
    const record = wholeOf<object>(parts);
    const values = rowValues(resource, layout, record);
    const key = purge_at === null ? (resource.uniqueKey?.(record) ?? null) : null;
    for (const element of values.elements) {
      elements.push(elementRow({ cid, row, validFrom }, element));
    }
    return run(connection, update, [
      cid,
      row,
      validFrom,
      uniqueKeyColumn(key),
      values.turnsAt,
      // As it was, unless a member has become hidden.
      resource.hidden === undefined ? parts.doc : values.doc,
      values.docAfter,
      ...values.columns,
    ]);
  });
  await Promise.all(updates);
  await connection.insert(layout.insertValues, elements);
}

/** Binds the place, then what it sets, in the order of the layout. */
function updateStatement(dialect: Dialect, { table, columns }: Layout): Statement<unknown> {
  const names = columns.map(({ name }) => name);
  const own = names.slice(names.indexOf("doc_after") + 1);
  const set = ["unique_key", "turns_at", "doc", "doc_after", ...own].map(
    (name, at) => sql`${sql.id(name)} = ${slot(at + 3)}`,
  );
  return prepare(
    dialect,
    sql`update ${sql.table(table)} set ${sql.join(set)}
      where cid = ${slot(0)} and row = ${slot(1)} and valid_from = ${slot(2)}`,
  );
}
