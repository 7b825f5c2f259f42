import { isDeepStrictEqual } from "node:util";
import { layoutOf, type Layout } from "../rows/columns.ts";
import type { Connection } from "../dialects/dialect.ts";
import { sql, type Bindable } from "../dialects/sql.ts";
import { elementRow, rowValues, uniqueKeyOf } from "../rows/row-values.ts";
import type { JsonObject, Resource } from "../types/types.ts";
import { completeRecord, partColumns, type Parts } from "../rows/record-parts.ts";
import { wordsColumns } from "../words/words.ts";

const batchSize = 1_000;

interface StoredRow extends Parts {
  readonly cid: string;
  readonly row: number;
  readonly valid_from: number;
  readonly purge_at: string | null;
}

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
  const { table, valuesTable, wordsTable } = layoutOf(resource);
  await connection.run(`delete from "${valuesTable}"`);
  if (wordsTable !== null) await connection.run(`delete from "${wordsTable}"`);
  let filled = 0;
  let last = { cid: "", row: 0, valid_from: 0 };
  for (;;) {
    const rows = await connection.all(sql<StoredRow>`
      select cid, row, valid_from, purge_at, ${partColumns(resource)} from ${sql.id(table)}
      where (cid, row, valid_from) > (${last.cid}, ${last.row}, ${last.valid_from})
      order by cid, row, valid_from limit ${sql.literal(batchSize)}`);
    const versions = rows.map((stored) => ({
      stored,
      before: null,
      after: completeRecord<object>(stored),
    }));
    await fillVersions(connection, resource, versions);
    filled += rows.length;
    const end = rows.at(-1);
    if (end === undefined || rows.length < batchSize) return filled;
    last = end;
  }
}

/** What is stored of a version, without all that is derived from it. */
export interface StoredVersion extends StoredRow {
  readonly valid_to: number | null;
}

/** The columns of `StoredVersion`. */
export const versionColumns = ({ hidden }: Resource): readonly string[] => [
  "cid",
  "row",
  "valid_from",
  "valid_to",
  "purge_at",
  "doc",
  ...(hidden === undefined ? [] : ["hidden"]),
];

/** Inserts versions with their texts as they are, and derives the rest. Only inside transactions. */
export async function insertVersions(
  connection: Connection,
  resource: Resource,
  versions: readonly StoredVersion[],
): Promise<void> {
  const layout = layoutOf(resource);
  const rows: (readonly Bindable[])[] = [];
  const elements: (readonly Bindable[])[] = [];
  const words: (readonly Bindable[])[] = [];
  for (const stored of versions) {
    const record = completeRecord<object>({ doc: stored.doc, hidden: stored.hidden ?? null });
    const derived = derivedFrom(resource, layout, stored, record);
    const id = String((record as JsonObject)[resource.id]);
    const values = new Map<string, Bindable>([
      ...derived.columns,
      ...Object.entries({ ...stored, id }),
    ]);
    rows.push(layout.columns.map(({ name }) => values.get(name) ?? null));
    elements.push(...derived.elements);
    words.push(...derived.words);
  }
  await connection.insert(layout.insert, rows);
  await connection.insert(layout.insertValues, elements);
  if (layout.insertWords !== null) await connection.insert(layout.insertWords, words);
}

/** Writes the texts and the derived columns of versions, as far as they change. Only inside transactions. */
export async function fillVersions(
  connection: Connection,
  resource: Resource,
  versions: readonly FilledVersion[],
): Promise<void> {
  const layout = layoutOf(resource);
  const elements: (readonly Bindable[])[] = [];
  const words: (readonly Bindable[])[] = [];
  for (const { stored, before, after } of versions) {
    const { cid, row, valid_from } = stored;
    const place = sql`where cid = ${cid} and row = ${row} and valid_from = ${valid_from}`;
    const deleteFrom = (table: string) =>
      connection.send(sql`delete from ${sql.id(table)} ${place}`);
    const old = before === null ? null : derivedFrom(resource, layout, stored, before);
    const current = derivedFrom(resource, layout, stored, after);
    const changed = current.columns.filter(([, value], at) => old?.columns[at]?.[1] !== value);
    if (changed.length > 0) {
      const values = changed.map(([name, value]) => sql`${sql.id(name)} = ${value}`);
      await connection.send(sql`update ${sql.id(layout.table)} set ${sql.join(values)} ${place}`);
    }
    if (!isDeepStrictEqual(old?.elements, current.elements)) {
      if (old !== null) await deleteFrom(layout.valuesTable);
      elements.push(...current.elements);
    }
    if (!isDeepStrictEqual(old?.words, current.words)) {
      if (old !== null && layout.wordsTable !== null) await deleteFrom(layout.wordsTable);
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
  const columns: readonly (readonly [string, Bindable])[] = [
    ["unique_key", uniqueKeyOf(resource, record, purge_at)],
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
