import type { Column, Connection, Dialect, NamesByTable } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import { layoutOf, type Index, type Layout } from "../rows/columns.ts";
import { trigramIndexesOf } from "../rows/trigram-index.ts";
import { enqueueDueInstants } from "../writing/fill-due-instants.ts";
import { makeDue } from "./upgrade-records.ts";
import type { Resource } from "../types/types.ts";

/** Increase this number when the same records lead to different values in the columns. */
const fillVersion = 1;

const required: ReadonlySet<string> = new Set(["cid", "row", "valid_from", "id", "doc"]);

/** The form in which a resource's tables were created, as stored in the database. */
interface StoredLayout {
  readonly columns: readonly Column[];
  /** If this text is unchanged, the columns are up to date. */
  readonly filling: string;
  /** Whether the table of words exists. */
  readonly words: boolean;
  /** Names of due instants whose jobs are in the queue. */
  readonly due: readonly string[];
  /** Who may read platform records despite row-level security. */
  readonly readers: PlatformReaders;
  /** The number of the fixed schema of the version that wrote it. Absent: one that did not say so. */
  readonly schema?: number;
  /** The names of the indexes that it has created. Absent: one that did not say so. All others are an operator's. */
  readonly indexes?: readonly string[];
}

type PlatformReaders = "audience" | "everyone" | "nobody";

const readersOf = ({ visibility }: Resource): PlatformReaders => {
  if (visibility?.sources?.includes("platform") !== true) return "nobody";
  return visibility.audience === undefined ? "everyone" : "audience";
};

/** The existing schema, read once for all resources. A query for each resource would slow down the start. */
interface ExistingSchema {
  readonly layouts: ReadonlyMap<string, StoredLayout>;
  readonly indexes: NamesByTable;
}

export async function readSchema(
  connection: Connection,
  resources: readonly Resource[],
): Promise<ExistingSchema> {
  const { dialect } = connection;
  const layouts = resources.map(layoutOf);
  const rows = await connection.all(
    sql<{ resource: string; layout: string }>`select resource, layout from resource_layouts`,
  );
  const tables = layouts.flatMap(({ table, valuesTable }) => [table, valuesTable]);
  return {
    layouts: new Map(
      rows.map(({ resource, layout }) => [resource, JSON.parse(layout) as StoredLayout]),
    ),
    indexes: await dialect.indexesOf(connection, tables),
  };
}

/**
 * `later`: a later version of the server has changed the tables, which this one leaves as they are. `extended`: servers
 * of the version before go on, and their records are filled later. `rebuilt`: they fail.
 */
export type TableForm = "new" | "same" | "extended" | "later" | "rebuilt";

/** How the tables of a resource differ from those of this version, whose fixed schema is `schema`. */
export function formOfTables(
  resource: Resource,
  { layouts }: ExistingSchema,
  schema: number,
): TableForm {
  const layout = layoutOf(resource);
  const stored = layouts.get(layout.table);
  if (stored === undefined) return "new";
  if ((stored.schema ?? 0) > schema) return "later";
  const filling = fillingText(resource, layout);
  if (stored.filling === filling) return "same";
  return isExtended(stored.filling, filling) ? "extended" : "rebuilt";
}

/** Whether `prepareTables` would change nothing. */
export function arePrepared(resource: Resource, existing: ExistingSchema): boolean {
  const layout = layoutOf(resource);
  const stored = existing.layouts.get(layout.table);
  if (stored === undefined) return false;
  const indexes = indexesIn(existing, layout);
  const own = ownIndexes(layout, stored, indexes);
  return (
    stored.filling === fillingText(resource, layout) &&
    stored.readers === readersOf(resource) &&
    Object.keys(resource.due ?? {}).every((name) => stored.due.includes(name)) &&
    layout.indexes.length === own.length &&
    layout.indexes.every(({ name }) => indexes.has(name))
  );
}

/**
 * Creates or updates a resource's tables: adds columns for new or changed fields, creates and drops indexes, adapts
 * row-level security to the visibility, and enqueues new due instants. If servers of the version before cannot go on,
 * fills the tables again from the records' texts; otherwise makes the records due for this. Runs inside the owner's
 * transaction.
 */
export async function prepareTables(
  connection: Connection,
  resource: Resource,
  existing: ExistingSchema,
  { now, schema }: { readonly now: Date; readonly schema: number },
): Promise<TableForm> {
  const layout = layoutOf(resource);
  const stored = existing.layouts.get(layout.table) ?? null;
  const form = formOfTables(resource, existing, schema);
  if (form === "later") return form;
  const due = Object.keys(resource.due ?? {});
  const readers = readersOf(resource);
  const current: StoredLayout = {
    columns: layout.columns,
    filling: fillingText(resource, layout),
    due,
    readers,
    words: layout.wordsTable !== null || stored?.words === true,
    schema,
    indexes: layout.indexes.map(({ name }) => name),
  };
  let indexes = stored === null ? [] : ownIndexes(layout, stored, indexesIn(existing, layout));
  if (stored === null) await createTables(connection, layout);
  else if (form === "rebuilt") {
    await dropIndexes(connection, indexes);
    indexes = [];
    if (layout.wordsTable !== null) {
      const { dropWords, createWords } = connection.dialect;
      if (stored.words === true) await connection.run(dropWords(layout.wordsTable));
      await connection.run(createWords(layout.wordsTable));
    }
    await addColumns(connection, layout, stored);
    // Few starts need it, and pages download what is imported.
    const { fillRows } = await import("./fill.ts");
    await fillRows(connection, resource);
  } else if (form === "extended") {
    await addColumns(connection, layout, stored);
    await makeDue(connection, resource);
  }
  await admitReaders(connection, layout, stored?.readers ?? "nobody", readers);
  await arrangeIndexes(connection, layout, indexes);
  if (stored === null) {
    const { dialect } = connection;
    await connection.run(
      dialect.assumeStatistics(layout.insert) + dialect.assumeStatistics(layout.insertValues),
    );
  }
  const newlyDue = due.filter((name) => stored?.due.includes(name) !== true);
  if (stored !== null && newlyDue.length > 0) {
    await enqueueDueInstants(connection, resource, newlyDue, now);
  }
  await connection.send(sql`
    insert into resource_layouts (resource, layout)
    values (${layout.table}, ${JSON.stringify(current)})
    on conflict (resource) do update set layout = excluded.layout`);
  return form;
}

interface Filling {
  readonly fields: readonly object[];
}

/** Whether the tables only gain columns. Every other column has the same values as before. */
function isExtended(stored: string, current: string): boolean {
  const { fields: before, ...restBefore } = JSON.parse(stored) as Filling;
  const { fields: after, ...restAfter } = JSON.parse(current) as Filling;
  const texts = new Set(after.map((field) => JSON.stringify(field)));
  return (
    JSON.stringify(restBefore) === JSON.stringify(restAfter) &&
    before.every((field) => texts.has(JSON.stringify(field)))
  );
}

function fillingText(resource: Resource, layout: Layout): string {
  const fields = [...layout.fields.values()].map(({ field, ...columns }) => {
    const { type, array, path, derive, values } = field;
    return { ...columns, field: { type, array, path, derive, values } };
  });
  const { id, hidden, visibility } = resource;
  const audience = visibility?.audience;
  const words =
    resource.words === undefined ? undefined : [resource.words, "trigrams", "runs of four or none"];
  return JSON.stringify({ version: fillVersion, id, hidden, audience, fields, words });
}

/**
 * SQLite reads a long row from its start to the requested column. Values after the texts would cost as much
 * as reading the texts.
 */
function longTextsLast({ columns, resource: { words } }: Layout): readonly Column[] {
  const rank = (name: string): number => {
    if (name === "doc" || name === "doc_after" || name === "hidden") return 1;
    return words !== undefined && name.startsWith(`field_${words}`) ? 2 : 0;
  };
  return columns.toSorted((left, right) => rank(left.name) - rank(right.name));
}

async function createTables(connection: Connection, layout: Layout): Promise<void> {
  const { dialect } = connection;
  const { plain, clustered } = dialect.tableOptions;
  const columns = longTextsLast(layout).map((column) => columnText(column, dialect));
  const values = layout.insertValues.columns.map((column) => columnText(column, dialect));
  await connection.run(`
    create table "${layout.table}" (
      ${columns.join(",\n")}, primary key (cid, row, valid_from)
    ) ${plain};
    create table "${layout.valuesTable}" (
      ${values.join(",\n")}, primary key (cid, row, valid_from, field, value)
    ) ${clustered};
    ${dialect.fence(layout.table)} ${dialect.fence(layout.valuesTable)}
    ${layout.wordsTable === null ? "" : dialect.createWords(layout.wordsTable)}`);
}

/** Sets who may read platform records despite row-level security. */
async function admitReaders(
  connection: Connection,
  { table, valuesTable }: Layout,
  before: PlatformReaders,
  readers: PlatformReaders,
): Promise<void> {
  if (readers === before) return;
  const { dialect } = connection;
  if (before !== "nobody") await connection.run(dialect.closeFence(table, valuesTable));
  if (readers === "audience") await connection.run(dialect.admitAudience(table, valuesTable));
  if (readers === "everyone") await connection.run(dialect.admitEveryone(table, valuesTable));
}

function columnText({ name, type }: Column, dialect: Dialect): string {
  return `"${name}" ${dialect.types[type]}${required.has(name) ? " not null" : ""}`;
}

/** The column of a removed field stays. A new field of the same name uses it again. */
async function addColumns(
  connection: Connection,
  layout: Layout,
  stored: StoredLayout,
): Promise<void> {
  const { dialect } = connection;
  const { table } = layout;
  const existing = (await dialect.columnsOf(connection, [table])).get(table);
  const storedTypes = new Map(stored.columns.map(({ name, type }) => [name, type]));
  const scripts = layout.columns.flatMap((column) => {
    if (storedTypes.get(column.name) === column.type) return [];
    const drop = `alter table "${layout.table}" drop column "${column.name}"`;
    const add = `alter table "${layout.table}" add column ${columnText(column, dialect)}`;
    return existing?.has(column.name) === true ? [drop, add] : [add];
  });
  await connection.run(scripts.join("; "));
}

const indexesIn = (
  { indexes }: ExistingSchema,
  { table, valuesTable }: Layout,
): ReadonlySet<string> =>
  new Set([...(indexes.get(table) ?? []), ...(indexes.get(valuesTable) ?? [])]);

/**
 * The existing indexes that a version of the server has created. Those of an operator stay, such as indexes of trigrams.
 */
function ownIndexes(
  { table, valuesTable, resource, indexes }: Layout,
  stored: StoredLayout,
  existing: ReadonlySet<string>,
): readonly string[] {
  const current = new Set(indexes.map(({ name }) => name));
  const known = stored.indexes && new Set(stored.indexes);
  const added = new Set([...trigramIndexesOf(resource).values()].map(({ name }) => name));
  // Versions that did not store the names gave these to all of them.
  const begins = (name: string) =>
    name.startsWith(`${table}__`) || name.startsWith(`${valuesTable}__`);
  return [...existing].filter(
    (name) => current.has(name) || (known?.has(name) ?? (begins(name) && !added.has(name))),
  );
}

async function arrangeIndexes(
  connection: Connection,
  layout: Layout,
  own: readonly string[],
): Promise<void> {
  const current = new Set(layout.indexes.map(({ name }) => name));
  await dropIndexes(
    connection,
    own.filter((name) => !current.has(name)),
  );
  const existing = new Set(own);
  const missing = layout.indexes.filter(({ name }) => !existing.has(name));
  if (missing.length > 0) await connection.run(missing.map(createIndex).join("; "));
}

async function dropIndexes(connection: Connection, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await connection.run(names.map((name) => `drop index "${name}"`).join("; "));
}

function createIndex({ name, table, unique, columns, where }: Index): string {
  const keys = columns
    .map((column) =>
      typeof column === "string"
        ? `"${column}"`
        : `(case when "${column[0]}" is null then "${column[1]}" else "${column[0]}" end)`,
    )
    .join(", ");
  const rows = where === undefined ? "" : ` where ${where}`;
  return `create ${unique ? "unique " : ""}index "${name}" on "${table}" (${keys})${rows}`;
}
