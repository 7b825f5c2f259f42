import { sql } from "kysely";
import { layoutOf } from "../rows/columns.ts";
import type { Bindable, Connection } from "../dialects/dialect.ts";
import { Parameter } from "../statements/plan-key.ts";
import { elementRow, rowValues, uniqueKeyColumn } from "../rows/row-values.ts";
import { bind, Statements, Template } from "../statements/statements.ts";
import type { Resource } from "../types/types.ts";
import { completeRecord } from "../rows/record-parts.ts";
import { wordsColumns } from "../words/words.ts";

const batchSize = 1_000;

interface StoredRow {
  readonly cid: string;
  readonly row: number;
  readonly valid_from: number;
  readonly purge_at: string | null;
  readonly doc: string;
  readonly hidden: string | null;
}

/** Identifies one version of a record. */
interface PlacePlan {
  readonly cid: Parameter<string>;
  readonly row: Parameter<number>;
  readonly validFrom: Parameter<number>;
}

const placePlan = ({
  cid,
  row,
  valid_from,
}: Pick<StoredRow, "cid" | "row" | "valid_from">): PlacePlan => ({
  cid: new Parameter(cid),
  row: new Parameter(row),
  validFrom: new Parameter(valid_from),
});

const nextRowsTemplate = new Template<PlacePlan, StoredRow>(
  ({ cid, row, validFrom }, { layout: { resource, table } }) => {
    const hidden = resource.hidden === undefined ? sql`null` : sql.id("hidden");
    return sql<StoredRow>`select cid, row, valid_from, purge_at, doc, ${hidden} as hidden
      from ${sql.table(table)}
      where (cid, row, valid_from) > (${bind(cid)}, ${bind(row)}, ${bind(validFrom)})
      order by cid, row, valid_from limit ${sql.lit(batchSize)}`;
  },
);

interface UpdatePlan extends PlacePlan {
  /** `unique_key`, `turns_at`, `doc`, `doc_after`, then the layout's other columns in their order. */
  readonly values: readonly Parameter[];
}

const updateTemplate = new Template<UpdatePlan, unknown>(
  ({ cid, row, validFrom, values }, { layout: { columns, table } }) => {
    const names = columns.map(({ name }) => name);
    const own = names.slice(names.indexOf("doc_after") + 1);
    const filled = ["unique_key", "turns_at", "doc", "doc_after", ...own];
    const set = values.map((value, at) => sql`${sql.id(filled[at] ?? "")} = ${bind(value)}`);
    return sql`update ${sql.table(table)} set ${sql.join(set)}
      where cid = ${bind(cid)} and row = ${bind(row)} and valid_from = ${bind(validFrom)}`;
  },
);

/**
 * Fills every derived column of all versions of all tenants, in batches. Runs inside the owner's
 * transaction. Returns the number of versions.
 */
export async function fillRows(connection: Connection, resource: Resource): Promise<number> {
  const layout = layoutOf(resource);
  const statements = new Statements(connection.dialect);
  await connection.run(`delete from "${layout.valuesTable}"`);
  if (layout.wordsTable !== null) await connection.run(`delete from "${layout.wordsTable}"`);
  let filled = 0;
  let last = placePlan({ cid: "", row: 0, valid_from: 0 });
  for (;;) {
    const rows = await statements.run(connection, nextRowsTemplate, layout, last);
    await fillBatch(connection, statements, resource, rows);
    filled += rows.length;
    const end = rows.at(-1);
    if (end === undefined || rows.length < batchSize) return filled;
    last = placePlan(end);
  }
}

async function fillBatch(
  connection: Connection,
  statements: Statements,
  resource: Resource,
  rows: readonly StoredRow[],
): Promise<void> {
  const layout = layoutOf(resource);
  const elements: (readonly Bindable[])[] = [];
  const updates = rows.map((stored) => {
    const record = completeRecord<object>(stored);
    const values = rowValues(resource, layout, record);
    const key = stored.purge_at === null ? (resource.uniqueKey?.(record) ?? null) : null;
    const place = { cid: stored.cid, row: stored.row, validFrom: stored.valid_from };
    for (const element of values.elements) elements.push(elementRow(place, element));
    const filled = [
      uniqueKeyColumn(key),
      values.expiresAt,
      // The text only changes if a member has become hidden.
      resource.hidden === undefined ? stored.doc : values.doc,
      values.docAfter,
      ...values.columns,
    ];
    return statements.run(connection, updateTemplate, layout, {
      ...placePlan(stored),
      values: filled.map((value) => new Parameter(value)),
    });
  });
  await Promise.all(updates);
  await connection.insert(layout.insertValues, elements);
  if (layout.insertWords !== null) {
    const words = rows.map((stored) => {
      const { cid, row, valid_from } = stored;
      return [cid, row, valid_from, ...wordsColumns(layout, cid, completeRecord<object>(stored))];
    });
    await connection.insert(layout.insertWords, words);
  }
}
