import { layoutOf, type Layout } from "../rows/columns.ts";
import type { Connection, InsertTarget } from "../dialects/dialect.ts";
import { sql, type Bindable, type Sql } from "../dialects/sql.ts";
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

/** A version, and its record as this version of the server writes it. */
export interface FilledVersion {
  readonly stored: Pick<StoredRow, "cid" | "row" | "valid_from" | "purge_at">;
  readonly record: object;
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
    await fillVersions(
      connection,
      resource,
      rows.map((stored) => ({ stored, record: completeRecord<object>(stored) })),
    );
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

/** Writes the texts and the derived columns of versions that have no elements and words. Only inside transactions. */
async function fillVersions(
  connection: Connection,
  resource: Resource,
  versions: readonly FilledVersion[],
): Promise<void> {
  const layout = layoutOf(resource);
  const updates: Update[] = [];
  const elements: (readonly Bindable[])[] = [];
  const words: (readonly Bindable[])[] = [];
  for (const { stored, record } of versions) {
    const derived = derivedFrom(resource, layout, stored, record);
    updates.push({ stored, columns: derived.columns });
    elements.push(...derived.elements);
    words.push(...derived.words);
  }
  await updateVersions(connection, layout, updates);
  await connection.insert(layout.insertValues, elements);
  if (layout.insertWords !== null) await connection.insert(layout.insertWords, words);
}

type Row = Readonly<Record<string, Bindable>>;

/**
 * Compares all that is stored of a tenant's versions with what this version of the server would write, and writes what
 * differs. Returns the number of changed versions. Only inside transactions that hold off the tenant's other writes.
 */
export async function refreshVersions(
  connection: Connection,
  resource: Resource,
  cid: string,
  versions: readonly FilledVersion[],
): Promise<number> {
  if (versions.length === 0) return 0;
  const layout = layoutOf(resource);
  const { insert, insertValues, insertWords, valuesTable, wordsTable } = layout;
  const list = connection.dialect.elements([...new Set(versions.map(rowOf))], "integer");
  const read = async ({ table, columns }: InsertTarget) => {
    const names = sql.join(columns.map(({ name }) => sql.id(name)));
    const rows = await connection.all(sql<Row>`select ${names} from ${sql.id(table)}
      where cid = ${cid} and row in (select listed.value from ${list})`);
    return Map.groupBy(rows, (each) => placeOf(each["row"], each["valid_from"]));
  };
  const stored = await read(insert);
  const storedElements = await read(insertValues);
  const storedWords = insertWords === null ? null : await read(insertWords);
  const updates: Update[] = [];
  const elements: (readonly Bindable[])[] = [];
  const words: (readonly Bindable[])[] = [];
  let refreshed = 0;
  for (const version of versions) {
    const place = placeOf(version.stored.row, version.stored.valid_from);
    const [row = {}] = stored.get(place) ?? [];
    const derived = derivedFrom(resource, layout, version.stored, version.record);
    const columns = derived.columns.filter(([name, value]) => !isSame(row[name], value));
    const listed = (storedElements.get(place) ?? []).map((each) =>
      insertValues.columns.map(({ name }) => each[name] ?? null),
    );
    const hasElements = sameRows(listed, derived.elements);
    // The index itself cannot be read on SQLite. It follows from the other columns.
    const [indexed] = storedWords?.get(place) ?? [];
    const [[, , , , textKey, sequence] = []] = derived.words;
    const hasWords =
      insertWords === null ||
      (indexed?.["text_key"] === textKey && indexed?.["sequence"] === sequence);
    if (columns.length === 0 && hasElements && hasWords) continue;
    refreshed += 1;
    if (columns.length > 0) updates.push({ stored: version.stored, columns });
    if (!hasElements) {
      await deleteVersion(connection, valuesTable, version.stored);
      elements.push(...derived.elements);
    }
    if (!hasWords && wordsTable !== null) {
      await deleteVersion(connection, wordsTable, version.stored);
      words.push(...derived.words);
    }
  }
  await updateVersions(connection, layout, updates);
  await connection.insert(insertValues, elements);
  if (insertWords !== null) await connection.insert(insertWords, words);
  return refreshed;
}

const rowOf = ({ stored }: FilledVersion): number => stored.row;
const placeOf = (row: unknown, validFrom: unknown): string => `${String(row)} ${String(validFrom)}`;

/** SQLite stores booleans as numbers. */
const isSame = (stored: Bindable | undefined, value: Bindable): boolean =>
  (stored ?? null) === value || (typeof value === "boolean" && stored === Number(value));

/** The engine returns elements in any order. */
function sameRows(
  left: readonly (readonly Bindable[])[],
  right: readonly (readonly Bindable[])[],
): boolean {
  if (left.length !== right.length) return false;
  const texts = new Set(left.map((each) => JSON.stringify(each)));
  return right.every((each) => texts.has(JSON.stringify(each)));
}

const whereVersion = ({ cid, row, valid_from }: FilledVersion["stored"]): Sql =>
  sql`where cid = ${cid} and row = ${row} and valid_from = ${valid_from}`;

const deleteVersion = (connection: Connection, table: string, stored: FilledVersion["stored"]) =>
  connection.send(sql`delete from ${sql.id(table)} ${whereVersion(stored)}`);

/** New values of a version's columns. */
interface Update {
  readonly stored: FilledVersion["stored"];
  readonly columns: readonly (readonly [string, Bindable])[];
}

/** Characters of JSON from which a statement is full. A text cannot be longer than about 500 million characters. */
const fullCharacters = 4 * 2 ** 20;

/** Versions of a tenant whose same columns change share a statement. */
async function updateVersions(
  connection: Connection,
  { table }: Layout,
  updates: readonly Update[],
): Promise<void> {
  const groups = Map.groupBy(updates, ({ stored, columns }) =>
    [stored.cid, ...columns.map(([name]) => name)].join(" "),
  );
  for (const [names, group] of groups) {
    const [tenant = "", ...changed] = names.split(" ");
    const values = changed.map((name) => sql`${sql.id(name)} = ${sql.id("listed", name)}`);
    const send = async (rows: readonly string[]) => {
      const listed = connection.dialect.rowsOfJson(
        table,
        ["row", "valid_from", ...changed],
        `[${rows.join(",")}]`,
      );
      await connection.send(sql`update ${sql.id(table)} as t set ${sql.join(values)}
        from (${listed}) as listed
        where t.cid = ${tenant} and t.row = listed.row and t.valid_from = listed.valid_from`);
    };
    let rows: string[] = [];
    let characters = 0;
    for (const { stored, columns } of group) {
      const { row, valid_from } = stored;
      const text = JSON.stringify({ row, valid_from, ...Object.fromEntries(columns) });
      rows.push(text);
      characters += text.length;
      if (characters < fullCharacters) continue;
      await send(rows);
      rows = [];
      characters = 0;
    }
    if (rows.length > 0) await send(rows);
  }
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
