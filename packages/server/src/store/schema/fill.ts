import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { layoutOf, type Layout } from "../rows/columns.ts";
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
  readonly names: readonly string[];
  /** In the order of the names. */
  readonly values: readonly Parameter[];
}

const updateTemplate = new Template<UpdatePlan, unknown>(
  ({ cid, row, validFrom, names, values }, { layout: { table } }) => {
    const set = values.map((value, at) => sql`${sql.id(names[at] ?? "")} = ${bind(value)}`);
    return sql`update ${sql.table(table)} set ${sql.join(set)}
      where cid = ${bind(cid)} and row = ${bind(row)} and valid_from = ${bind(validFrom)}`;
  },
);

const deletePlace = (table: string, { cid, row, validFrom }: PlacePlan) =>
  sql`delete from ${sql.table(table)}
    where cid = ${bind(cid)} and row = ${bind(row)} and valid_from = ${bind(validFrom)}`;

const deleteElements = new Template<PlacePlan, unknown>((plan, { layout }) =>
  deletePlace(layout.valuesTable, plan),
);

const deleteWords = new Template<PlacePlan, unknown>((plan, { layout }) =>
  deletePlace(layout.wordsTable ?? "", plan),
);

/** A version whose record changes in place. */
export interface FilledVersion {
  readonly stored: Pick<StoredRow, "cid" | "row" | "valid_from" | "purge_at">;
  /** The record from which the columns are derived now. Null: fill all columns; there are no elements and words. */
  readonly before: object | null;
  readonly after: object;
}

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
    const versions = rows.map((stored) => ({
      stored,
      before: null,
      after: completeRecord<object>(stored),
    }));
    await fillVersions(connection, statements, resource, versions);
    filled += rows.length;
    const end = rows.at(-1);
    if (end === undefined || rows.length < batchSize) return filled;
    last = placePlan(end);
  }
}

/** Writes the texts and the derived columns of versions, as far as they change. Only inside transactions. */
export async function fillVersions(
  connection: Connection,
  statements: Statements,
  resource: Resource,
  versions: readonly FilledVersion[],
): Promise<void> {
  const layout = layoutOf(resource);
  const elements: (readonly Bindable[])[] = [];
  const words: (readonly Bindable[])[] = [];
  for (const { stored, before, after } of versions) {
    const plan = placePlan(stored);
    const old = before === null ? null : derivedFrom(resource, layout, stored, before);
    const current = derivedFrom(resource, layout, stored, after);
    const changed = current.columns.filter(([, value], at) => old?.columns[at]?.[1] !== value);
    if (changed.length > 0) {
      const names = changed.map(([name]) => name);
      const values = changed.map(([, value]) => new Parameter(value));
      await statements.send(connection, updateTemplate, layout, { ...plan, names, values });
    }
    if (!isDeepStrictEqual(old?.elements, current.elements)) {
      if (old !== null) await statements.send(connection, deleteElements, layout, plan);
      elements.push(...current.elements);
    }
    if (!isDeepStrictEqual(old?.words, current.words)) {
      if (old !== null) await statements.send(connection, deleteWords, layout, plan);
      words.push(...current.words);
    }
  }
  await connection.insert(layout.insertValues, elements);
  if (layout.insertWords !== null) await connection.insert(layout.insertWords, words);
}

/** The texts and the derived columns of a version, and its rows in the other tables. */
function derivedFrom(
  resource: Resource,
  layout: Layout,
  { cid, row, valid_from, purge_at }: FilledVersion["stored"],
  record: object,
) {
  const values = rowValues(resource, layout, record);
  const names = layout.columns.map(({ name }) => name);
  const own = names.slice(names.indexOf("doc_after") + 1);
  const key = purge_at === null ? (resource.uniqueKey?.(record) ?? null) : null;
  const columns: readonly (readonly [string, Bindable])[] = [
    ["unique_key", uniqueKeyColumn(key)],
    ["turns_at", values.expiresAt],
    ["doc", values.doc],
    ["doc_after", values.docAfter],
    ...values.columns.map((value, at) => [own[at] ?? "", value] as const),
  ];
  const place = { cid, row, validFrom: valid_from };
  return {
    columns,
    elements: values.elements.map((element) => elementRow(place, element)),
    words:
      layout.insertWords === null
        ? []
        : [[cid, row, valid_from, ...wordsColumns(layout, cid, record)]],
  };
}
