import type { Predicate } from "@security-platform/fql";
import { sql, type RawBuilder } from "kysely";
import { layoutOf, type Layout } from "./columns.ts";
import type { Bindable, Connection } from "./dialects/dialect.ts";
import { DuplicateRecordError, StoreError } from "./errors.ts";
import { whereOf } from "./filter-to-where.ts";
import { findPage } from "./page.ts";
import { latestConditions, RecordReader, type Shared } from "./records.ts";
import { elementRow, rowValues, uniqueKeyColumn } from "./row-values.ts";
import { Parameter } from "./plan-key.ts";
import type { Shape } from "./shape.ts";
import { everySource, fieldsIn, isPlatformOnly, sourcesOf, withFields } from "./sources.ts";
import { bind, Template, type Target } from "./statements.ts";
import { countEachTime } from "./totals.ts";
import {
  platformCid,
  type JsonObject,
  type Position,
  type RecordChange,
  type ReadScope,
  type RecordText,
  type Resource,
  type WritableRecords,
} from "./types.ts";
import { instantText, type View } from "./view.ts";
import { wholeOf, type Parts } from "./whole.ts";

/** A transaction of one tenant under way. */
export interface Writing {
  readonly cid: string;
  /** The tenant's write that the transaction is. */
  readonly number: number;
  /** When it began, as in timestamp columns. */
  readonly at: string;
  readonly connection: Connection;
  /** The transaction creates the tenant: it has what the transaction has written, and nothing else. */
  readonly isNewTenant: boolean;
  /** Layouts of which the transaction has added records. */
  readonly filled: Set<Layout>;
}

/** The version of a record that no other has superseded. */
interface Current {
  readonly id: string;
  readonly row: number;
  readonly valid_from: number;
  readonly purge_at: string | null;
}

/** Runs what follows from a write. */
export type React<Record> = (changes: readonly RecordChange<Record>[], now: Date) => Promise<void>;

interface Version<Record> {
  readonly record: Record;
  readonly row: number;
  readonly purgeAt: string | null;
}

/** A statement about some rows of the tenant. */
interface ListPlan<Value extends string | number> {
  readonly cid: Parameter<string>;
  /** The transaction's write. */
  readonly number: Parameter<number>;
  readonly list: Parameter<readonly Value[]>;
}

/** A statement about live rows of one source. */
interface SeenPlan extends Pick<ListPlan<string>, "cid" | "list"> {
  readonly conditions: readonly Shape[];
  readonly now: Parameter<string>;
}

/** The rows `t` whose column `name` is in the list, up to and including the `where`. */
const listed = (
  { cid, list }: Pick<ListPlan<string>, "cid" | "list">,
  { dialect, layout }: Target,
  name: "id" | "unique_key",
) => sql`${dialect.elements(bind(list), "text")} cross join ${sql.table(layout.table)} as t
  where t.cid = ${bind(cid)} and t.${sql.ref(name)} = wanted.value and t.valid_to is null`;

function isSeen({ conditions, cid, now }: SeenPlan, target: Target): RawBuilder<unknown> {
  const scope = { ...target, cid, now, turned: null, few: true };
  return sql.join(
    conditions.map((condition) => sql`and ${whereOf(condition, scope)}`),
    sql` `,
  );
}

const takeTemplate = new Template<SeenPlan, { id: string } & Parts>((plan, target) => {
  const hidden = target.layout.resource.hidden === undefined ? sql`null` : sql`t.hidden`;
  return sql`select t.id, t.doc, ${hidden} as hidden from ${listed(plan, target, "id")}
    and t.purge_at is null ${isSeen(plan, target)}`;
});

const duplicatesTemplate = new Template<SeenPlan, { id: string; unique_key: string }>(
  (plan, target) =>
    sql`select t.id, t.unique_key from ${listed(plan, target, "unique_key")} ${isSeen(plan, target)}`,
);

const currentTemplate = new Template<ListPlan<string>, Current>(
  (plan, target) =>
    sql`select t.id, t.row, t.valid_from, t.purge_at from ${listed(plan, target, "id")}`,
);

const supersedeTemplate = new Template<ListPlan<string>, unknown>(
  ({ cid, number, list }, { dialect, layout }) =>
    sql`update ${sql.table(layout.table)} as t set valid_to = ${bind(number)}
      from ${dialect.elements(bind(list), "text")}
      where t.cid = ${bind(cid)} and t.id = wanted.value and t.valid_to is null`,
);

/** Deletes versions that the transaction itself has written. */
const undo = (
  table: string,
  { cid, number, list }: ListPlan<number>,
  { dialect }: Target,
) => sql`delete from ${sql.table(table)} where cid = ${bind(cid)}
  and row in (select wanted.value from ${dialect.elements(bind(list), "integer")})
  and valid_from = ${bind(number)}`;

const undoTemplate = new Template<ListPlan<number>, unknown>((plan, target) =>
  undo(target.layout.table, plan, target),
);

const undoElementsTemplate = new Template<ListPlan<number>, unknown>((plan, target) =>
  undo(target.layout.valuesTable, plan, target),
);

interface AllocatePlan {
  readonly cid: Parameter<string>;
  readonly table: Parameter<string>;
  readonly number: Parameter<number>;
  readonly count: Parameter<number>;
  readonly purgeAt: Parameter<string | null>;
}

const allocateTemplate = new Template<AllocatePlan, { rows: number }, null>(
  ({ cid, table, number, count, purgeAt }) => sql<{ rows: number }>`
    insert into write_numbers (cid, resource, number, rows, purge_at)
    values (${bind(cid)}, ${bind(table)}, ${bind(number)}, ${bind(count)}, ${bind(purgeAt)})
    on conflict (cid, resource) do update
    set number = excluded.number, rows = write_numbers.rows + excluded.rows,
      purge_at = case when write_numbers.purge_at <= excluded.purge_at then write_numbers.purge_at
        else coalesce(excluded.purge_at, write_numbers.purge_at) end
    returning rows`,
);

const noFields: readonly string[] = [];
const dayMilliseconds = 86_400_000;
const takeBatch = 1_000;

/** Reads and writes of one resource inside a transaction. */
export class RecordWriter<Record extends object>
  extends RecordReader<Record>
  implements WritableRecords<Record>
{
  readonly #writing: Writing;
  readonly #layout: Layout;
  readonly #react: React<Record> | null;
  /** The tenant's own records are all that is seen, and all of them are. */
  readonly #seesAll: boolean;

  /** Without a scope, every record of the tenant is seen. */
  constructor(
    resource: Resource<Record>,
    shared: Shared,
    writing: Writing,
    react: React<Record> | null,
    scope: ReadScope | null,
  ) {
    const sources =
      scope === null ? everySource(resource, writing.cid) : sourcesOf(resource, scope, []);
    super(
      resource,
      { ...shared, totals: countEachTime },
      {
        sources: (fields) => withFields(resource, scope, sources, fields),
        use: (_sources, work) => work(writing.connection),
        useNow: (_sources, work) => work(writing.connection),
      },
    );
    this.#seesAll = sources.length === 1 && sources[0]?.condition === null;
    this.#writing = writing;
    this.#react = react;
    this.#layout = layoutOf(resource);
  }

  async take(ids: readonly string[]): Promise<ReadonlyMap<string, Record>> {
    const rows = await this.look(noFields, (view) => this.#fromSources(takeTemplate, ids, view));
    return new Map(rows.map(({ id, ...parts }) => [id, wholeOf<Record>(parts)]));
  }

  async takeMatching(predicate: Predicate, now: Date): Promise<readonly Record[]> {
    const records: Record[] = [];
    let after: Position | undefined;
    do {
      const query = { predicate, sort: [], limit: takeBatch, shape: "ids" as const, now };
      // oxlint-disable-next-line no-await-in-loop -- the next batch begins where this one ends
      const page = await this.look(fieldsIn(predicate), (view) =>
        findPage(view, { ...query, ...(after && { after }) }),
      );
      const ids = page.rows.map(([id]) => id);
      // oxlint-disable-next-line no-await-in-loop -- see above
      const taken = await this.take(ids);
      records.push(...ids.flatMap((id) => taken.get(id) ?? []));
      after = page.next ?? undefined;
    } while (after !== undefined);
    return records;
  }

  async findDuplicates(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const byColumn = new Map(keys.map((key) => [uniqueKeyColumn(key), key]));
    const columns = [...byColumn.keys()].filter((key) => key !== null);
    // A key is taken also by a record that the scope does not show.
    const sources = everySource(this.resource, this.#writing.cid);
    const rows = await this.look(noFields, (view) =>
      this.#fromSources(duplicatesTemplate, columns, { ...view, sources }),
    );
    return new Map(rows.map(({ id, unique_key }) => [byColumn.get(unique_key) ?? "", id]));
  }

  async insert(records: readonly Record[], now: Date): Promise<readonly RecordText[]> {
    const ids = records.map((record) => this.#idOf(record));
    this.#refuseRepeated(ids);
    const current = await this.#current(ids);
    const taken = [...current.values()].filter(({ purge_at }) => !isPurged(purge_at, now));
    if (taken.length > 0) this.#refuse(taken.map(({ id }) => id));
    await this.#refuseTakenKeys(records);
    await this.#supersede([...current.values()]);
    const first = await this.#allocateRows(records.length);
    const texts = await this.#add(
      records.map((record, at) => ({ record, row: first + at, purgeAt: null })),
      now,
    );
    await this.#reactTo(new Map(), records, now);
    return texts;
  }

  async replace(records: readonly Record[], now: Date): Promise<readonly RecordText[]> {
    const ids = records.map((record) => this.#idOf(record));
    this.#refuseRepeated(ids);
    const current = await this.#current(ids);
    const before = this.#seesAll ? await this.#before(ids) : await this.take(ids);
    const added = ids.filter((id) => !current.has(id));
    const missing = ids.filter((id) =>
      this.#seesAll ? current.get(id)?.purge_at !== null : !before.has(id),
    );
    if (missing.length > 0) {
      throw new StoreError(`${this.resource.name}: nothing to replace at ${missing.join(", ")}`);
    }
    await this.#refuseTakenKeys(records);
    // Those of the platform, which the tenant's own replace.
    const first = await this.#allocateRows(added.length);
    await this.#supersede([...current.values()]);
    const rows = new Map(added.map((id, at) => [id, first + at]));
    const versions = records.flatMap((record) => {
      const id = this.#idOf(record);
      const row = current.get(id)?.row ?? rows.get(id);
      return row === undefined ? [] : [{ record, row, purgeAt: null }];
    });
    const texts = await this.#add(versions, now);
    await this.#reactTo(before, records, now);
    return texts;
  }

  async put(records: readonly Record[], now: Date): Promise<void> {
    // Of several records with one id the last counts, as if they came one by one.
    const latest = new Map(records.map((record) => [this.#idOf(record), record]));
    const unique = [...latest.values()];
    const current = await this.#current([...latest.keys()]);
    await this.#refuseTakenKeys(unique);
    const before = await this.#before([...latest.keys()]);
    await this.#supersede([...current.values()]);
    const kept = new Map([...current].filter(([, { purge_at }]) => !isPurged(purge_at, now)));
    const added = unique.filter((record) => !kept.has(this.#idOf(record)));
    const first = await this.#allocateRows(added.length);
    await this.#add(
      [
        ...this.#inPlace(unique, kept),
        ...added.map((record, at) => ({ record, row: first + at, purgeAt: null })),
      ],
      now,
    );
    await this.#reactTo(before, unique, now);
  }

  async remove(ids: readonly string[], now: Date): Promise<void> {
    const { softDelete } = this.resource;
    const current = await this.#current(ids);
    const known = [...current.values()].filter(({ purge_at }) => purge_at === null);
    const knownIds = known.map(({ id }) => id);
    const before =
      softDelete === undefined && this.#seesAll
        ? await this.#before(knownIds)
        : await this.take(knownIds);
    const live = this.#seesAll ? known : known.filter(({ id }) => before.has(id));
    if (live.length === 0) return;
    const purgeAt =
      softDelete === undefined
        ? null
        : instantText(new Date(now.getTime() + softDelete.days * dayMilliseconds));
    await this.#allocateRows(0, purgeAt);
    await this.#supersede(live);
    if (softDelete !== undefined) {
      const versions = live.flatMap(({ id, row }) => {
        const record = before.get(id);
        return record === undefined ? [] : [{ record: softDelete.mark(record), row, purgeAt }];
      });
      await this.#add(versions, now);
    }
    await this.#reactTo(before, [], now);
  }

  /** The records as they are before a write; none where nothing reacts to it. */
  async #before(ids: readonly string[]): Promise<ReadonlyMap<string, Record>> {
    return this.#react === null ? new Map() : this.take(ids);
  }

  /** `after`: the records that the write stored; those of `before` that are not among them are gone. */
  async #reactTo(
    before: ReadonlyMap<string, Record>,
    after: readonly Record[],
    now: Date,
  ): Promise<void> {
    if (this.#react === null) return;
    const stored = new Set(after.map((record) => this.#idOf(record)));
    const changes = [
      ...after.map((record) => ({ before: before.get(this.#idOf(record)) ?? null, after: record })),
      ...[...before]
        .filter(([id]) => !stored.has(id))
        .map(([, record]) => ({ before: record, after: null })),
    ];
    if (changes.length > 0) await this.#react(changes, now);
  }

  /** Whether the tenant can have no record of the resource. Saves look-ups where tenants are created. */
  get #isEmpty(): boolean {
    const { isNewTenant, filled } = this.#writing;
    return isNewTenant && this.#seesAll && !filled.has(this.#layout);
  }

  #idOf(record: Record): string {
    return String((record as JsonObject)[this.resource.id]);
  }

  #inPlace(
    records: readonly Record[],
    current: ReadonlyMap<string, Current>,
  ): readonly Version<Record>[] {
    return records.flatMap((record) => {
      const row = current.get(this.#idOf(record))?.row;
      return row === undefined ? [] : [{ record, row, purgeAt: null }];
    });
  }

  async #current(ids: readonly string[]): Promise<ReadonlyMap<string, Current>> {
    if (this.#isEmpty) return new Map();
    const rows = await this.#run(currentTemplate, ids);
    return new Map(rows.map((row) => [row.id, row]));
  }

  #refuseRepeated(values: readonly string[]): void {
    const seen = new Set<string>();
    const repeated = values.filter((value) => seen.size === seen.add(value).size);
    if (repeated.length > 0) this.#refuse(repeated);
  }

  /** A key may stay with its record, and records of one call may not share one. */
  async #refuseTakenKeys(records: readonly Record[]): Promise<void> {
    const { uniqueKey } = this.resource;
    if (uniqueKey === undefined) return;
    const ids = new Map<string, string>();
    for (const record of records) {
      const key = this.resource.uniqueKey?.(record) ?? null;
      if (key === null) continue;
      if (ids.has(key)) this.#refuse([key]);
      ids.set(key, this.#idOf(record));
    }
    if (this.#isEmpty) return;
    const holders = await this.findDuplicates([...ids.keys()]);
    const replaced = new Set(ids.values());
    const taken = [...holders].filter(([key, id]) => ids.get(key) !== id && !replaced.has(id));
    if (taken.length > 0) this.#refuse(taken.map(([key]) => key));
  }

  #refuse(keys: readonly string[]): never {
    throw new DuplicateRecordError(this.resource.name, keys);
  }

  /** Ends versions with this write; those that it made itself are gone as if they had never been. */
  async #supersede(versions: readonly Current[]): Promise<void> {
    if (versions.length === 0) return;
    const { number } = this.#writing;
    const own = versions.filter(({ valid_from }) => valid_from === number);
    if (own.length > 0) {
      const rows = own.map(({ row }) => row);
      await this.#run(undoElementsTemplate, rows);
      await this.#run(undoTemplate, rows);
    }
    await this.#run(
      supersedeTemplate,
      versions.map(({ id }) => id),
    );
  }

  /** Notes the write to the resource and gives the first of `count` new row numbers. */
  async #allocateRows(count: number, purgeAt: string | null = null): Promise<number> {
    const { cid, number, connection } = this.#writing;
    if (isPlatformOnly(this.resource) && cid !== platformCid) {
      throw new StoreError(`${this.resource.name}: its records are the platform's`);
    }
    const [row] = await this.shared.statements.run(connection, allocateTemplate, null, {
      cid: new Parameter(cid),
      table: new Parameter(this.#layout.table),
      number: new Parameter(number),
      count: new Parameter(count),
      purgeAt: new Parameter(purgeAt),
    });
    return (row?.rows ?? count) - count + 1;
  }

  async #add(versions: readonly Version<Record>[], now: Date): Promise<readonly RecordText[]> {
    const { cid, number, connection } = this.#writing;
    const instant = instantText(now);
    const rows: (readonly Bindable[])[] = [];
    const elements: (readonly Bindable[])[] = [];
    const texts = versions.map(({ record, row, purgeAt }) => {
      const values = rowValues(this.resource, this.#layout, record);
      const { doc, docAfter, turnsAt } = values;
      const key = purgeAt === null ? (this.resource.uniqueKey?.(record) ?? null) : null;
      rows.push([
        cid,
        row,
        number,
        null,
        this.#idOf(record),
        uniqueKeyColumn(key),
        purgeAt,
        turnsAt,
        doc,
        docAfter,
        ...values.columns,
      ]);
      for (const element of values.elements) {
        elements.push(elementRow({ cid, row, validFrom: number }, element));
      }
      return turnsAt !== null && turnsAt <= instant ? (docAfter ?? doc) : doc;
    });
    const inserts = [connection.insert(this.#layout.insert, rows)];
    if (elements.length > 0) inserts.push(connection.insert(this.#layout.insertValues, elements));
    await Promise.all(inserts);
    this.#writing.filled.add(this.#layout);
    return texts;
  }

  /** Runs a statement about the rows of the tenant that `list` names; no rows for an empty list. */
  async #run<Value extends string | number, Row>(
    template: Template<ListPlan<Value>, Row>,
    list: readonly Value[],
  ): Promise<readonly Row[]> {
    if (list.length === 0) return [];
    const { cid, number, connection } = this.#writing;
    return this.shared.statements.run(connection, template, this.#layout, {
      cid: new Parameter(cid),
      number: new Parameter(number),
      list: new Parameter(list),
    });
  }

  /** Runs a statement about the live rows of every source that `list` names. */
  async #fromSources<Row>(
    template: Template<SeenPlan, Row>,
    list: readonly string[],
    view: View,
  ): Promise<readonly Row[]> {
    if (list.length === 0) return [];
    const rows: Row[] = [];
    for (const source of view.sources) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const found = await view.statements.run(view.connection, template, view.layout, {
        cid: new Parameter(source.cid),
        list: new Parameter(list),
        conditions: latestConditions(view, source),
        now: new Parameter(this.#writing.at),
      });
      rows.push(...found);
    }
    return rows;
  }
}

const isPurged = (purgeAt: string | null, now: Date): boolean =>
  purgeAt !== null && purgeAt <= instantText(now);
