import { pauses } from "../../pauses.ts";
import { sql } from "kysely";
import { layoutOf, type Layout } from "../rows/columns.ts";
import type { Bindable } from "../dialects/dialect.ts";
import { StoreError } from "../types/errors.ts";
import { listedRows, type ListPlan } from "../reading/look-up.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import { Parameter } from "../statements/plan-key.ts";
import { elementRow, rowValues, uniqueKeyColumn } from "../rows/row-values.ts";
import { isPlatformOnly } from "../reading/sources.ts";
import { bind, Template, type Statements, type Target } from "../statements/statements.ts";
import { platformCid, type JsonObject, type RecordText, type Resource } from "../types/types.ts";
import { instantText } from "../reading/view.ts";
import { wordsColumns } from "../words/words.ts";

/** The place of a record's current version. */
export interface CurrentVersion {
  readonly id: string;
  readonly row: number;
  readonly valid_from: number;
  readonly purge_at: string | null;
}

/** A version to insert. */
export interface NewVersion<Record> {
  readonly record: Record;
  readonly row: number;
  readonly purgeAt: string | null;
}

interface WritePlan<Value extends string | number> extends ListPlan<Value> {
  /** The transaction's write number. */
  readonly number: Parameter<number>;
}

const selectCurrent = new Template<ListPlan<string>, CurrentVersion>(
  (plan, target) =>
    sql`select t.id, t.row, t.valid_from, t.purge_at from ${listedRows(plan, target, "id")}`,
);

const endCurrent = new Template<WritePlan<string>, unknown>(
  ({ cid, number, list }, { dialect, layout }) =>
    sql`update ${sql.table(layout.table)} as t set valid_to = ${bind(number)}
      from ${dialect.elements(bind(list), "text")}
      where t.cid = ${bind(cid)} and t.id = listed.value and t.valid_to is null`,
);

/** Deletes versions that the transaction itself has inserted. */
const deleteOwn = (
  table: string,
  { cid, number, list }: WritePlan<number>,
  { dialect }: Target,
) => sql`delete from ${sql.table(table)} where cid = ${bind(cid)}
  and row in (select listed.value from ${dialect.elements(bind(list), "integer")})
  and valid_from = ${bind(number)}`;

const deleteOwnRows = new Template<WritePlan<number>, unknown>((plan, target) =>
  deleteOwn(target.layout.table, plan, target),
);

const deleteOwnElements = new Template<WritePlan<number>, unknown>((plan, target) =>
  deleteOwn(target.layout.valuesTable, plan, target),
);

const deleteOwnWords = new Template<WritePlan<number>, unknown>((plan, target) =>
  deleteOwn(target.layout.wordsTable ?? "", plan, target),
);

interface AllocatePlan {
  readonly cid: Parameter<string>;
  readonly table: Parameter<string>;
  readonly number: Parameter<number>;
  readonly count: Parameter<number>;
  readonly purgeAt: Parameter<string | null>;
}

const allocate = new Template<AllocatePlan, { rows: number }, null>(
  ({ cid, table, number, count, purgeAt }) => sql<{ rows: number }>`
    insert into write_numbers (cid, resource, number, rows, purge_at)
    values (${bind(cid)}, ${bind(table)}, ${bind(number)}, ${bind(count)}, ${bind(purgeAt)})
    on conflict (cid, resource) do update
    set number = excluded.number, rows = write_numbers.rows + excluded.rows,
      purge_at = case when write_numbers.purge_at <= excluded.purge_at then write_numbers.purge_at
        else coalesce(excluded.purge_at, write_numbers.purge_at) end
    returning rows`,
);

/** Maximum number of records in one statement of SQLite, which blocks the event loop. */
const recordsAtOnce = 500;

/** Parts for one statement each. */
export function* inParts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
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
  readonly #statements: Statements;
  readonly #transaction: OpenTransaction;

  constructor(resource: Resource<Record>, statements: Statements, transaction: OpenTransaction) {
    this.#resource = resource;
    this.#layout = layoutOf(resource);
    this.#statements = statements;
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
  get none(): boolean {
    const { isNewTenant, written } = this.#transaction;
    return isNewTenant && !written.has(this.#layout);
  }

  /** The current versions by id, including those of deleted records. */
  async current(ids: readonly string[]): Promise<ReadonlyMap<string, CurrentVersion>> {
    if (this.none) return new Map();
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
    const number = await this.#transaction.number;
    const own = versions.filter(({ valid_from }) => valid_from === number);
    this.#forgetFree();
    if (own.length > 0) {
      const rows = own.map(({ row }) => row);
      await this.#send(deleteOwnElements, rows);
      if (this.#layout.wordsTable !== null) await this.#send(deleteOwnWords, rows);
      await this.#send(deleteOwnRows, rows);
    }
    for (const part of inParts(versions)) {
      await this.#send(
        endCurrent,
        part.map(({ id }) => id),
      );
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
    const plan = {
      cid: new Parameter(cid),
      table: new Parameter(this.#layout.table),
      number: new Parameter(number),
      count: new Parameter(count),
      purgeAt: new Parameter(purgeAt),
    };
    const { locked } = connection;
    const place = `${cid} ${this.#layout.table}`;
    const known = locked.get(place);
    if (known !== undefined) {
      await this.#statements.send(connection, allocate, null, plan);
      locked.set(place, known + count);
      return known + 1;
    }
    if (this.none || count === 0) {
      await this.#statements.send(connection, allocate, null, plan);
      return 1;
    }
    const [row] = await this.#statements.run(connection, allocate, null, plan);
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
    if (many !== null) await connection.send(many.first, []);
    let part = emptyPart();
    const pause = pauses();
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
      const key = purgeAt === null ? (this.#resource.uniqueKey?.(record) ?? null) : null;
      part.rows.push([
        cid,
        row,
        number,
        null,
        id,
        uniqueKeyColumn(key),
        purgeAt,
        expiresAt,
        doc,
        docAfter,
        ...columns,
      ]);
      part.characters += doc.length;
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
      await connection.send(many.beforeLast, []);
      await connection.insert(insertWords, lastWords);
      await connection.send(many.afterLast, []);
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

  #forgetFree(): void {
    this.#transaction.freeKeys.delete(this.#layout);
    this.#transaction.freeIds.delete(this.#layout);
  }

  async #select(ids: readonly string[]): Promise<readonly CurrentVersion[]> {
    if (ids.length === 0) return [];
    const { cid, connection } = this.#transaction;
    return this.#statements.run(connection, selectCurrent, this.#layout, {
      cid: new Parameter(cid),
      list: new Parameter(ids),
    });
  }

  /** Sends a statement about the tenant's rows in `list`. Sends nothing for an empty list. */
  async #send<Value extends string | number>(
    template: Template<WritePlan<Value>, unknown>,
    list: readonly Value[],
  ): Promise<void> {
    if (list.length === 0) return;
    const { cid, connection } = this.#transaction;
    await this.#statements.send(connection, template, this.#layout, {
      cid: new Parameter(cid),
      number: new Parameter(await this.#transaction.number),
      list: new Parameter(list),
    });
  }
}
