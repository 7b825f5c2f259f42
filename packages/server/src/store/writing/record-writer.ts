import type { Predicate } from "@security-platform/fql";
import { DuplicateRecordError, StoreError } from "../types/errors.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import { changesOf, type React } from "./reactions.ts";
import { latestConditions, RecordReader, type Shared } from "../reading/records.ts";
import { sourcesOfTenant, sourcesOf, withReaderFields } from "../reading/sources.ts";
import { countEachTime } from "../reading/totals.ts";
import type {
  JsonObject,
  ReadScope,
  RecordText,
  Resource,
  WritableRecords,
} from "../types/types.ts";
import { Versions, type CurrentVersion, type NewVersion } from "./versions.ts";
import { instantText, listedRows, type View } from "../reading/view.ts";
import { uniqueKeyColumn } from "../rows/row-values.ts";
import { sql } from "../dialects/sql.ts";

const noFields: readonly string[] = [];
const dayMilliseconds = 86_400_000;

/** Reads and writes of one resource inside a transaction. */
export class RecordWriter<Record extends object>
  extends RecordReader<Record>
  implements WritableRecords<Record>
{
  readonly #transaction: OpenTransaction;
  readonly #versions: Versions<Record>;
  readonly #react: React<Record> | null;
  /** Whether the scope shows all of the tenant's own records, and no others. */
  readonly #seesOwnOnly: boolean;

  /** Without a scope, the writer sees every record of the tenant. */
  constructor(
    resource: Resource<Record>,
    shared: Shared,
    transaction: OpenTransaction,
    react: React<Record> | null,
    scope: ReadScope | null,
  ) {
    const sources =
      scope === null ? sourcesOfTenant(resource, transaction.cid) : sourcesOf(resource, scope, []);
    super(
      resource,
      { ...shared, totals: countEachTime },
      {
        sources: (fields) => withReaderFields(resource, scope, sources, fields),
        database: { read: (_cids, work) => work(transaction.connection) },
      },
    );
    this.#seesOwnOnly = sources.length === 1 && sources[0]?.condition === null;
    this.#transaction = transaction;
    this.#react = react;
    this.#versions = new Versions(resource, transaction);
  }

  getForUpdate(ids: readonly string[]): Promise<ReadonlyMap<string, Record>> {
    return this.writtenAt(ids, this.#transaction.at);
  }

  async findForUpdate(predicate: Predicate, now: Date): Promise<readonly Record[]> {
    const records: Record[] = [];
    for await (const ids of this.scanIds(predicate, now)) {
      const locked = await this.getForUpdate(ids);
      records.push(...ids.flatMap((id) => locked.get(id) ?? []));
    }
    return records;
  }

  async removeMatching(predicate: Predicate, now: Date): Promise<void> {
    for await (const ids of this.scanIds(predicate, now)) await this.remove(ids, now);
  }

  async findDuplicates(
    keys: readonly string[],
    ids: readonly string[] = [],
  ): Promise<ReadonlyMap<string, string>> {
    const [holders] = await Promise.all([this.#holdersOf(keys), this.#versions.current(ids)]);
    return holders;
  }

  async #holdersOf(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { freeKeys } = this.#versions;
    const unknown = keys.filter((key) => !freeKeys.has(key));
    if (unknown.length === 0 || (this.#seesOwnOnly && this.#versions.hasNoOwnRecords))
      return new Map();
    // A record outside the scope can also hold the key.
    const sources = sourcesOfTenant(this.resource, this.#transaction.cid);
    const holders = await this.withView(noFields, (view) =>
      holdersOfKeys({ ...view, sources }, unknown, this.#transaction.at),
    );
    this.#versions.addFreeKeys(unknown.filter((key) => !holders.has(key)));
    return holders;
  }

  async insert(records: readonly Record[], now: Date): Promise<readonly RecordText[]> {
    const ids = records.map((record) => this.#idOf(record));
    this.#refuseRepeated(ids);
    const [current, holders, first] = await Promise.all([
      this.#versions.current(ids),
      this.findDuplicates(this.#keysOf(records)),
      this.#versions.allocateRows(records.length),
    ]);
    const taken = [...current.values()].filter(({ purge_at }) => !isPurged(purge_at, now));
    if (taken.length > 0) this.#refuse(taken.map(({ id }) => id));
    this.#refuseTakenKeys(records, holders);
    await this.#versions.end([...current.values()]);
    const texts = await this.#store(newVersions(records, first), now);
    await this.#reactTo(new Map(), records, now);
    return texts;
  }

  async replace(records: readonly Record[], now: Date): Promise<readonly RecordText[]> {
    const ids = records.map((record) => this.#idOf(record));
    this.#refuseRepeated(ids);
    const [current, before, holders] = await Promise.all([
      this.#versions.current(ids),
      this.#seesOwnOnly ? this.#before(ids) : this.getForUpdate(ids),
      this.findDuplicates(this.#keysOf(records)),
    ]);
    const added = ids.filter((id) => !current.has(id));
    const missing = ids.filter((id) =>
      this.#seesOwnOnly ? current.get(id)?.purge_at !== null : !before.has(id),
    );
    if (missing.length > 0) {
      throw new StoreError(`${this.resource.name}: nothing to replace at ${missing.join(", ")}`);
    }
    this.#refuseTakenKeys(records, holders);
    // Platform records that are replaced get rows of the tenant.
    const first = await this.#versions.allocateRows(added.length);
    await this.#versions.end([...current.values()]);
    const rows = new Map(added.map((id, at) => [id, first + at]));
    const versions = records.flatMap((record) => {
      const id = this.#idOf(record);
      const row = current.get(id)?.row ?? rows.get(id);
      return row === undefined ? [] : [{ record, row, purgeAt: null }];
    });
    const texts = await this.#store(versions, now);
    await this.#reactTo(before, records, now);
    return texts;
  }

  async put(records: readonly Record[], now: Date): Promise<void> {
    // If several records have the same id, the last one is used, as if they had been written one by one.
    const latest = new Map(records.map((record) => [this.#idOf(record), record]));
    const unique = [...latest.values()];
    const ids = [...latest.keys()];
    const [current, before, holders] = await Promise.all([
      this.#versions.current(ids),
      this.#before(ids),
      this.findDuplicates(this.#keysOf(unique)),
    ]);
    this.#refuseTakenKeys(unique, holders);
    await this.#versions.end([...current.values()]);
    const kept = new Map([...current].filter(([, { purge_at }]) => !isPurged(purge_at, now)));
    const added = unique.filter((record) => !kept.has(this.#idOf(record)));
    const first = await this.#versions.allocateRows(added.length);
    const versions = [...this.#inPlace(unique, kept), ...newVersions(added, first)];
    await this.#store(versions, now);
    await this.#reactTo(before, unique, now);
  }

  async remove(ids: readonly string[], now: Date): Promise<void> {
    const { softDelete } = this.resource;
    const current = await this.#versions.current(ids);
    const undeleted = [...current.values()].filter(({ purge_at }) => purge_at === null);
    const undeletedIds = undeleted.map(({ id }) => id);
    const before =
      softDelete === undefined && this.#seesOwnOnly
        ? await this.#before(undeletedIds)
        : await this.getForUpdate(undeletedIds);
    const live = this.#seesOwnOnly ? undeleted : undeleted.filter(({ id }) => before.has(id));
    if (live.length === 0) return;
    const purgeAt =
      softDelete === undefined
        ? null
        : instantText(new Date(now.getTime() + softDelete.days * dayMilliseconds));
    await this.#versions.allocateRows(0, purgeAt);
    await this.#versions.end(live);
    if (softDelete !== undefined) {
      const versions = live.flatMap(({ id, row }) => {
        const record = before.get(id);
        return record === undefined ? [] : [{ record: softDelete.mark(record), row, purgeAt }];
      });
      await this.#store(versions, now);
    }
    await this.#reactTo(before, [], now);
  }

  /** Encrypts the secrets of versions and inserts them. Returns the texts as they are served at `now`. */
  async #store(versions: readonly NewVersion<Record>[], now: Date): Promise<readonly RecordText[]> {
    const { resource } = this;
    if (resource.sealed === undefined) return this.#versions.insert(versions, now);
    const { sealer } = this.shared;
    const { connection, cid } = this.#transaction;
    const key = await sealer.currentKey(connection);
    const sealed = versions.map((version) => ({
      ...version,
      record: sealer.seal(resource, cid, version.record, key),
    }));
    return this.#versions.insert(sealed, now);
  }

  /** The records before a write. Empty if nothing reacts to the write. */
  async #before(ids: readonly string[]): Promise<ReadonlyMap<string, Record>> {
    return this.#react === null ? new Map() : this.getForUpdate(ids);
  }

  async #reactTo(
    before: ReadonlyMap<string, Record>,
    after: readonly Record[],
    now: Date,
  ): Promise<void> {
    if (this.#react === null) return;
    const changes = changesOf(this.resource, before, after);
    if (changes.length > 0) await this.#react(changes, now);
  }

  #idOf(record: Record): string {
    return String((record as JsonObject)[this.resource.id]);
  }

  #inPlace(
    records: readonly Record[],
    current: ReadonlyMap<string, CurrentVersion>,
  ): readonly NewVersion<Record>[] {
    return records.flatMap((record) => {
      const row = current.get(this.#idOf(record))?.row;
      return row === undefined ? [] : [{ record, row, purgeAt: null }];
    });
  }

  #refuseRepeated(values: readonly string[]): void {
    const earlierValues = new Set<string>();
    const repeated = values.filter((value) => earlierValues.size === earlierValues.add(value).size);
    if (repeated.length > 0) this.#refuse(repeated);
  }

  #keysOf(records: readonly Record[]): readonly string[] {
    const { resource } = this;
    if (resource.uniqueKey === undefined) return [];
    return [...new Set(records.flatMap((record) => resource.uniqueKey?.(record) ?? []))];
  }

  /** A record may keep its key. Records of one call must have different keys. */
  #refuseTakenKeys(records: readonly Record[], holders: ReadonlyMap<string, string>): void {
    const ids = new Map<string, string>();
    for (const record of records) {
      const key = this.resource.uniqueKey?.(record) ?? null;
      if (key === null) continue;
      if (ids.has(key)) this.#refuse([key]);
      ids.set(key, this.#idOf(record));
    }
    const replaced = new Set(ids.values());
    const taken = [...holders].filter(([key, id]) => ids.get(key) !== id && !replaced.has(id));
    if (taken.length > 0) this.#refuse(taken.map(([key]) => key));
  }

  #refuse(keys: readonly string[]): never {
    throw new DuplicateRecordError(this.resource.name, keys);
  }
}

/** Ids of live records by unique key. */
async function holdersOfKeys(
  view: View,
  keys: readonly string[],
  at: string,
): Promise<ReadonlyMap<string, string>> {
  const byColumn = new Map(keys.map((key) => [uniqueKeyColumn(key), key]));
  const columns = [...byColumn.keys()];
  const rows = await Promise.all(
    view.sources.map((source) =>
      view.connection.all(sql<{ id: string; unique_key: string }>`
        select t.id, t.unique_key from ${listedRows(view, source.cid, "unique_key", columns)}
        ${latestConditions(view, source, at)}`),
    ),
  );
  return new Map(rows.flat().map(({ id, unique_key }) => [byColumn.get(unique_key) ?? "", id]));
}

/** Versions of new records, whose row numbers begin at `first`. */
const newVersions = <Record>(
  records: readonly Record[],
  first: number,
): readonly NewVersion<Record>[] =>
  records.map((record, at) => ({ record, row: first + at, purgeAt: null }));

const isPurged = (purgeAt: string | null, now: Date): boolean =>
  purgeAt !== null && purgeAt <= instantText(now);
