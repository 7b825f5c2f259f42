import { pause } from "../../foundation/work-turns.ts";
import { layoutOf, type Layout } from "../rows/columns.ts";
import { sql, type Bindable } from "../dialects/sql.ts";
import { StoreError } from "../types/errors.ts";
import { bytesOf } from "../statements/record-bytes.ts";
import { instantText, listedRows } from "../reading/view.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import { elementRow, rowValues, uniqueKeyOf } from "../rows/row-values.ts";
import { isPlatformOnly } from "../reading/sources.ts";
import { platformCid, type JsonObject, type RecordText, type Resource } from "../types/types.ts";
import { wordsColumns } from "../words/words.ts";

/** The place of a record's current version. */
export interface CurrentVersion {
  readonly id: string;
  readonly row: number;
  readonly valid_from: number;
  readonly purge_at: string | null;
  /** Only if the transaction is measured. */
  readonly bytes?: number;
}

/** A version to insert. */
export interface NewVersion<Record> {
  readonly record: Record;
  readonly row: number;
  readonly purgeAt: string | null;
}

/** Maximum number of records in one statement of SQLite, which blocks the event loop. */
const recordsAtOnce = 500;

/** Parts for one statement each. */
function* inParts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += recordsAtOnce) {
    yield items.slice(from, from + recordsAtOnce);
  }
}

const noKeys: ReadonlySet<string> = new Set();

/** Rows that are inserted together. */
interface Part {
  readonly rows: (readonly Bindable[])[];
  readonly elements: (readonly Bindable[])[];
  readonly words: (readonly Bindable[])[];
  /** Number of characters in the texts and words of the records. */
  characters: number;
}

const emptyPart = (): Part => ({ rows: [], elements: [], words: [], characters: 0 });

/** Minimum number of versions for which the engine prepares for many words. */
const manyRows = 50;

/** Size from which a part is inserted before the next record is read. */
const partCharacters = 4_000_000;

/** Reads and writes the versions of one resource's records inside a transaction. */
export class Versions<Record extends object> {
  readonly #resource: Resource<Record>;
  readonly #layout: Layout;
  readonly #transaction: OpenTransaction;

  constructor(resource: Resource<Record>, transaction: OpenTransaction) {
    this.#resource = resource;
    this.#layout = layoutOf(resource);
    this.#transaction = transaction;
  }

  /** Keys that the transaction has found free since its last write. */
  get freeKeys(): ReadonlySet<string> {
    return this.#transaction.freeKeys.get(this.#layout) ?? noKeys;
  }

  addFreeKeys(keys: readonly string[]): void {
    this.#transaction.freeKeys.set(this.#layout, new Set([...this.freeKeys, ...keys]));
  }

  /** Whether the tenant has no own record of the resource. Saves queries when a tenant is created. */
  get hasNoOwnRecords(): boolean {
    const { isNewTenant, written } = this.#transaction;
    return isNewTenant && !written.has(this.#layout);
  }

  /** The current versions by id, including those of deleted records. */
  async current(ids: readonly string[]): Promise<ReadonlyMap<string, CurrentVersion>> {
    if (this.hasNoOwnRecords) return new Map();
    const { freeIds } = this.#transaction;
    const free = freeIds.get(this.#layout) ?? noKeys;
    const unknown = ids.filter((id) => !free.has(id));
    const rows = await this.#select(unknown);
    const currentById = new Map(rows.map((row) => [row.id, row]));
    if (currentById.size < unknown.length) {
      freeIds.set(
        this.#layout,
        new Set([...free, ...unknown.filter((id) => !currentById.has(id))]),
      );
    }
    return currentById;
  }

  /** Ends versions with this write. Deletes versions that this write itself inserted. */
  async end(versions: readonly CurrentVersion[]): Promise<void> {
    const { cid, connection } = this.#transaction;
    const { dialect } = connection;
    const { table, valuesTable, wordsTable } = this.#layout;
    const number = await this.#transaction.number;
    this.#forgetFree();
    for (const version of versions) this.#measure(version.purge_at, -(version.bytes ?? 0));
    const own = versions.filter(({ valid_from }) => valid_from === number).map(({ row }) => row);
    if (own.length > 0) {
      for (const from of [valuesTable, wordsTable, table]) {
        if (from === null) continue;
        await connection.send(sql`delete from ${sql.id(from)} where cid = ${cid}
          and row in (select listed.value from ${dialect.elements(own, "integer")})
          and valid_from = ${number}`);
      }
    }
    for (const part of inParts(versions)) {
      const ids = part.map(({ id }) => id);
      await connection.send(sql`update ${sql.id(table)} as t set valid_to = ${number}
        from ${dialect.elements(ids, "text")}
        where t.cid = ${cid} and t.id = listed.value and t.valid_to is null`);
    }
  }

  /**
   * Records the write to the resource, and the earliest purge of its deleted records. Returns the first of
   * `count` new row numbers.
   */
  async allocateRows(count: number, purgeAt: string | null = null): Promise<number> {
    const { cid, connection } = this.#transaction;
    const number = await this.#transaction.number;
    if (isPlatformOnly(this.#resource) && cid !== platformCid) {
      throw new StoreError(`${this.#resource.name}: its records are the platform's`);
    }
    const { table } = this.#layout;
    const allocate = sql<{ rows: number }>`
      insert into write_numbers (cid, resource, number, rows, purge_at)
      values (${cid}, ${table}, ${number}, ${count}, ${purgeAt})
      on conflict (cid, resource) do update
      set number = excluded.number, rows = write_numbers.rows + excluded.rows,
        purge_at = case when write_numbers.purge_at <= excluded.purge_at then write_numbers.purge_at
          else coalesce(excluded.purge_at, write_numbers.purge_at) end
      returning rows`;
    const { locked } = connection;
    const place = `${cid} ${table}`;
    const lastRow = locked.get(place);
    if (lastRow !== undefined) {
      await connection.send(allocate);
      locked.set(place, lastRow + count);
      return lastRow + 1;
    }
    if (this.hasNoOwnRecords || count === 0) {
      await connection.send(allocate);
      return 1;
    }
    const [row] = await connection.all(allocate);
    const rows = row?.rows ?? count;
    locked.set(place, rows);
    return rows - count + 1;
  }

  /** Returns the texts as they are served at `now`. */
  async insert(versions: readonly NewVersion<Record>[], now: Date): Promise<readonly RecordText[]> {
    const { cid, written, connection } = this.#transaction;
    const number = await this.#transaction.number;
    const instant = instantText(now);
    const texts: RecordText[] = [];
    const { insertWords } = this.#layout;
    const many =
      insertWords !== null && versions.length >= manyRows ? connection.dialect.manyWords : null;
    if (many !== null) await connection.send(many.first);
    let part = emptyPart();
    for (const { record, row, purgeAt } of versions) {
      await pause();
      if (part.characters > partCharacters) {
        await this.#insertPart(part);
        await connection.settle();
        part = emptyPart();
      }
      const { doc, docAfter, expiresAt, columns, elements } = rowValues(
        this.#resource,
        this.#layout,
        record,
      );
      const id = String((record as JsonObject)[this.#resource.id]);
      part.rows.push([
        cid,
        row,
        number,
        null,
        id,
        uniqueKeyOf(this.#resource, record, purgeAt),
        purgeAt,
        expiresAt,
        doc,
        docAfter,
        ...columns,
      ]);
      part.characters += doc.length;
      this.#measureText(doc, record, purgeAt);
      for (const element of elements) {
        part.elements.push(elementRow({ cid, row, validFrom: number }, element));
      }
      if (insertWords !== null) {
        const words = wordsColumns(this.#layout, cid, record);
        part.words.push([cid, row, number, ...words]);
        for (const text of words) part.characters += text.length;
      }
      texts.push(expiresAt !== null && expiresAt <= instant ? (docAfter ?? doc) : doc);
    }
    const lastWords = many === null ? [] : part.words.splice(-1);
    await this.#insertPart(part);
    if (many !== null && insertWords !== null) {
      await connection.send(many.beforeLast);
      await connection.insert(insertWords, lastWords);
      await connection.send(many.afterLast);
    }
    written.add(this.#layout);
    this.#forgetFree();
    return texts;
  }

  async #insertPart({ rows, elements, words }: Part): Promise<void> {
    const { connection } = this.#transaction;
    const { insert, insertValues, insertWords } = this.#layout;
    if (rows.length > 0) await connection.insert(insert, rows);
    if (elements.length > 0) await connection.insert(insertValues, elements);
    if (insertWords !== null && words.length > 0) await connection.insert(insertWords, words);
  }

  /** Deleted records do not count, also while filters still find them. */
  #measure(purgeAt: string | null, bytes: number): void {
    const { growth } = this.#transaction;
    if (growth !== null && purgeAt === null) growth.bytes += bytes;
  }

  /** Counts as `bytesOf` of the stored version. */
  #measureText(doc: RecordText, record: Record, purgeAt: string | null): void {
    const { growth } = this.#transaction;
    if (growth === null) return;
    const { blobBytes } = this.#resource;
    const files = blobBytes === undefined ? 0 : ((record as JsonObject)[blobBytes] ?? 0);
    const text = Buffer.byteLength(doc);
    growth.written += text;
    this.#measure(purgeAt, text + Number(files));
  }

  #forgetFree(): void {
    this.#transaction.freeKeys.delete(this.#layout);
    this.#transaction.freeIds.delete(this.#layout);
  }

  async #select(ids: readonly string[]): Promise<readonly CurrentVersion[]> {
    if (ids.length === 0) return [];
    const { cid, connection, growth } = this.#transaction;
    const bytes = growth === null ? sql`` : sql`, ${bytesOf(this.#layout)} as bytes`;
    return connection.all(sql<CurrentVersion>`
      select t.id, t.row, t.valid_from, t.purge_at ${bytes}
      from ${listedRows({ layout: this.#layout, connection }, cid, "id", ids)}`);
  }
}
