import type { Secrets } from "./secrets.ts";
import type { Fields, Predicate, SortKey } from "@security-platform/fql";
import type { Awaitable } from "../awaitable.ts";
import type { Jobs, NewJob } from "./job.ts";
import type { JsonObject } from "./json.ts";
import type { PlatformScope, ReadScope, Tenant, Visibility } from "./visibility.ts";

export type { JsonObject };
export { platformCid } from "./visibility.ts";
export type {
  PlatformScope,
  ReaderField,
  ReadScope,
  RecordSource,
  SourceKind,
  Tenant,
  Visibility,
} from "./visibility.ts";

/** A record as it is stored and served: JSON text in wire form. */
export type RecordText = string;

/**
 * What the store knows of one kind of record. Tables, columns and indexes are derived from it. Records are
 * written completely, in wire form; `fields` names what can be filtered and sorted. Its functions are
 * methods, so that a `Resource` of any record is a `Resource`.
 */
export interface Resource<Record extends object = object, Scope extends ReadScope = ReadScope> {
  /** Snake-case plural, unique: `indicators`. The table is `<collection>_<name>`. */
  readonly name: string;
  readonly collection: string;
  /** The resource's `x-fql` table. */
  readonly fields: Fields;
  /** The member of the record that holds its identifier. */
  readonly id: string;
  /** A text that is unique among the live records that a tenant sees; null: the record has none. */
  uniqueKey?(record: Record): string | null;
  /** For records that change by themselves at an instant. The later text is stored as well. */
  readonly expiry?: Expiry<Record>;
  /** Deleted records stay for a number of days, visible only to filters with `deleted:true`. */
  readonly softDelete?: SoftDelete<Record>;
  /** Members that are stored and can be filtered and sorted by, but are never served. */
  readonly hidden?: readonly string[];
  /**
   * Hidden members that are secret: the database has them encrypted. Whoever writes records, or reads
   * complete ones, has them in plain text. Existing records are encrypted at the next start.
   */
  readonly sealed?: readonly string[];
  /** Which records a reader sees, and in which form. Default: those of the reader's tenant, as stored. */
  readonly visibility?: Visibility<Record, Scope>;
  /** Fields to sort or filter by that have an index each. */
  readonly indexes: readonly string[];
  /** A text field with an index of its own for predicates of the kinds `words` and `text`. */
  readonly words?: string;
  /** Fields with SHA-256 hashes of blobs, which are kept as long as the record. */
  readonly blobs?: readonly string[];
  /**
   * Instants at which something happens to the record, by name; what happens is registered with the
   * jobs. Each fires once. A write that changes or removes the instant moves or cancels it.
   */
  readonly due?: { readonly [name: string]: DueInstant<Record> };
  /** Run after every write to the records, whatever its origin. Set in `resources.ts`. */
  readonly reactions?: readonly Reaction<Record>[];
}

/** A record before and after a write; null where it did not exist or no longer exists. */
export interface RecordChange<Record> {
  readonly before: Record | null;
  readonly after: Record | null;
}

/**
 * Updates other records in the transaction that changed these. An error refuses the write.
 * An object with a method, so that a `Resource` of any record is a `Resource`.
 */
export interface Reaction<Record> {
  run(transaction: Transaction, changes: readonly RecordChange<Record>[], now: Date): Promise<void>;
}

export interface Expiry<Record> {
  /** RFC 3339 instant, or null: never. */
  at(record: Record): string | null;
  after(record: Record): Record;
  /** The entries of `fields` whose value may change on expiry. */
  readonly changes: readonly string[];
}

export interface DueInstant<Record> {
  /** RFC 3339 instant, or null: never. */
  at(record: Record): string | null;
}

export interface SoftDelete<Record> {
  readonly days: number;
  mark(record: Record): Record;
}

export interface PageQuery {
  readonly predicate: Predicate;
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly shape: "records" | "ids";
  /** The instant at which the records are read: expiry follows it. */
  readonly now: Date;
  /** Offset paging. The answer then has a total. */
  readonly offset?: number;
  /** Keyset paging: where the previous page ended, and the state of the data that it saw. */
  readonly after?: Position;
}

/** The end of a page. Opaque outside the store; sent to callers in a signed cursor. */
export interface Position {
  /** Number of the last write that the scan sees, of each source; it does not see later versions. */
  readonly snapshot: readonly number[];
  readonly keys: readonly (string | number | boolean | null)[];
  /** Index of the last record's source in the list of sources. */
  readonly place: number;
  readonly row: number;
}

export interface Page {
  /** Record texts, or identifiers, as asked. */
  readonly items: readonly string[];
  /** Exact; with offset paging only. */
  readonly total?: number;
  /** Absent on the last page. */
  readonly next?: Position;
}

/** What a reader sees of one resource. There is no way to read without a tenant. */
export interface Records<Record extends object = JsonObject> {
  /** Texts by id, live records only. */
  get(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, RecordText>>;
  /** The text of a live record; null if there is none. Without a promise if nothing waits. */
  one(id: string, now: Date): Awaitable<RecordText | null>;
  /** Records by id with their hidden members, live records only. */
  getComplete(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Record>>;
  page(query: PageQuery): Promise<Page>;
  count(predicate: Predicate, now: Date): Promise<number>;
  /** Every matching record in batches, in write order, with constant memory. */
  scan(predicate: Predicate, now: Date, batch?: number): AsyncIterable<readonly RecordText[]>;
  /** As `scan`, with hidden members. */
  scanComplete(predicate: Predicate, now: Date, batch?: number): AsyncIterable<readonly Record[]>;
  /** Distinct values of a field among the matching records, ascending, from after `after`. */
  distinct(
    field: string,
    predicate: Predicate,
    options: { now: Date; limit: number; after?: string },
  ): Promise<readonly string[]>;
  /** The number of distinct values of a field, counted up to `ceiling`. */
  countDistinct(
    field: string,
    predicate: Predicate,
    options: { now: Date; ceiling: number },
  ): Promise<number>;
  /** A text that changes with every write to the resource in one of its sources. Cheap to read. */
  revision(): Promise<string>;
  readonly facets: Facets;
  readonly resource: Resource<Record>;
}

export type FacetValue = string | number | boolean;

export interface Facet {
  readonly value: FacetValue;
  /** Records that have the value, not occurrences. */
  readonly count: number;
}

/**
 * The few queries that every aggregate is made of. Array fields count a record once for each distinct
 * element. A record without a value takes part in none of them.
 */
export interface Facets {
  /** Values with their counts; ties by value ascending. `total` is the number of distinct values. */
  groups(
    field: string,
    predicate: Predicate,
    options: {
      now: Date;
      limit: number;
      offset?: number;
      order: "count" | "value";
      direction: "asc" | "desc";
      minimumCount?: number;
      maximumCount?: number;
    },
  ): Promise<{
    readonly facets: readonly Facet[];
    readonly total: number;
    readonly records: number;
  }>;
  /** Counts by the first `length` characters of a timestamp's canonical text, ascending. */
  timestampGroups(
    field: string,
    predicate: Predicate,
    options: { now: Date; length: number },
  ): Promise<readonly { readonly prefix: string; readonly count: number }[]>;
  /** Over a number or timestamp field (timestamps as canonical text, without sum). */
  statistics(
    field: string,
    predicate: Predicate,
    now: Date,
  ): Promise<{
    readonly count: number;
    readonly sum: number | null;
    readonly min: FacetValue | null;
    readonly max: FacetValue | null;
  }>;
  cardinality(field: string, predicate: Predicate, now: Date): Promise<number>;
  /** The values at zero-based ranks of the ascending order of all values. */
  valuesAtRanks(
    field: string,
    predicate: Predicate,
    options: { now: Date; ranks: readonly number[] },
  ): Promise<readonly FacetValue[]>;
}

/** Reads and writes of one resource inside a transaction. */
export interface WritableRecords<Record extends object = JsonObject> extends Records<Record> {
  /**
   * Live records by id, parsed, as they were before expiry. The tenant's own are locked until the
   * transaction ends. Includes platform records that the tenant has not replaced; replacing one creates the
   * tenant's own.
   */
  getForUpdate(ids: readonly string[]): Promise<ReadonlyMap<string, Record>>;
  findForUpdate(predicate: Predicate, now: Date): Promise<readonly Record[]>;
  /**
   * Ids of live records by unique key. `ids`: those of records that are to be inserted, which saves
   * `insert` a round trip.
   */
  findDuplicates(
    keys: readonly string[],
    ids?: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Throws `DuplicateRecordError` when an id or a unique key is taken. */
  insert(records: readonly Record[], now: Date): Promise<readonly RecordText[]>;
  /** Replaces live records with the same ids; a platform record, by one of the tenant's own. */
  replace(records: readonly Record[], now: Date): Promise<readonly RecordText[]>;
  /** Inserts or replaces by id; for imports. */
  put(records: readonly Record[], now: Date): Promise<void>;
  remove(ids: readonly string[], now: Date): Promise<void>;
}

export interface Transaction {
  readonly cid: string;
  /**
   * Sees every record of the tenant, and the platform's where the resource has both; with a scope, what
   * that reader sees. Writes throw `StoreError` for records that only the platform stores, unless the
   * transaction is the platform's.
   */
  records<Record extends object, Scope extends ReadScope>(
    resource: Resource<Record, Scope>,
    scope?: NoInfer<Scope>,
  ): WritableRecords<Record>;
  /** Throws `StoreError` for another tenant's trail, unless the transaction is the platform's. */
  audit(entry: AuditEntry): Promise<void>;
  /** Runs the check after all writes of the transaction. An error refuses the transaction. */
  beforeCommit(check: () => Promise<void>): void;
  /**
   * The first of `count` successive numbers of one of the tenant's sequences; the first ever is 1. Numbers
   * up to `past` are skipped.
   */
  nextNumbers(name: string, count: number, past?: number): Promise<number>;
  /** Adds a job of the tenant to the queue, which runs it once the transaction commits. Returns its id. */
  enqueue(job: NewJob, now: Date): Promise<number>;
}

export interface AuditEntry {
  readonly at: Date;
  /** The uid of the user that the API client acts as, else the client id; `cli` or `server` without a client. */
  readonly actor: string;
  /** The API client, whether it acts as a user or not; null for commands. */
  readonly client_id: string | null;
  /** Operation id, or the CLI command. */
  readonly operation: string;
  readonly trace_id: string | null;
  readonly comment: string | null;
  /** Ids of the written records. */
  readonly ids: readonly string[];
  /** Tenant whose trail it belongs to, for a write to the platform's records. Default: the transaction's. */
  readonly cid?: string;
}

export interface StoredAuditEntry extends Omit<AuditEntry, "at" | "cid"> {
  readonly number: number;
  readonly cid: string;
  readonly at: string;
}

export interface ApiClient {
  /** 32 lower-case hex digits. */
  readonly client_id: string;
  readonly cid: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  /** The user that the client acts as: it may do what the user's roles allow. Absent: what its scopes allow. */
  readonly user_uuid?: string;
}

export interface ClientSecret {
  /** SHA-256 of the secret, hex. */
  readonly hash: string;
  readonly created_at: string;
  /** From this instant on the secret no longer works; null: until rotated. */
  readonly expires_at: string | null;
}

export interface AccessToken {
  /** SHA-256 of the token, hex; the token itself is never stored. */
  readonly hash: string;
  readonly client_id: string;
  readonly cid: string;
  readonly scopes: readonly string[];
  readonly expires_at: string;
}

/** Tenants, API clients, tokens, settings and the audit trail. */
export interface Directory {
  /** `fill` writes the tenant's first records in the same transaction; returns the version of the catalogue. */
  createTenant(tenant: Tenant, fill?: (transaction: Transaction) => Promise<number>): Promise<void>;
  tenants(): Promise<readonly Tenant[]>;
  tenant(cid: string): Promise<Tenant | null>;
  /** Nearest first. */
  ancestors(cid: string): Promise<readonly Tenant[]>;
  /** Children, their children and so on. */
  descendants(cid: string): Promise<readonly Tenant[]>;
  /** Tenants whose catalogue is older than `version`; a new tenant's is 0. */
  tenantsBehind(version: number): Promise<readonly Tenant[]>;
  setCatalogueVersion(cid: string, version: number): Promise<void>;
  createClient(client: ApiClient, secret: ClientSecret): Promise<void>;
  clients(cid?: string): Promise<readonly ApiClient[]>;
  client(clientId: string): Promise<{ client: ApiClient; secrets: readonly ClientSecret[] } | null>;
  /** Adds a secret; the older ones expire at `olderUntil`. At most two stay. */
  rotateSecret(clientId: string, secret: ClientSecret, olderUntil: string): Promise<void>;
  /** Deletes the client and its tokens. */
  deleteClient(clientId: string): Promise<boolean>;
  saveToken(token: AccessToken): Promise<void>;
  /** Null also for a revoked token and one of a deleted client. The caller checks the expiry. */
  token(hash: string): Promise<AccessToken | null>;
  revokeToken(hash: string, clientId: string): Promise<void>;
  /** Deletes tokens that expired before an instant. Returns their number. */
  purgeTokens(expiredBefore: string): Promise<number>;
  /** Replaces a value that `setting` returns from now on. */
  changeSetting(name: string, value: string): Promise<void>;
  /** A value that is created once for the database and shared by all processes. It is stored in plain text. */
  setting(name: string, initial: () => string): Promise<string>;
  auditEntries(query: {
    cid: string;
    limit: number;
    before?: number;
  }): Promise<readonly StoredAuditEntry[]>;
}

export interface Swept {
  /** Tenants that were looked at: those with a write since the last sweep, or a record to purge. */
  readonly tenants: number;
  /** Versions of records that were removed. */
  readonly rows: number;
}

/** Records that `work` will create. Transactions that wait look up their ids and keys together. */
export interface PlannedRecords {
  readonly resource: Resource;
  readonly records: readonly object[];
}

export interface Store {
  readonly engine: "sqlite" | "postgres";
  readonly directory: Directory;
  readonly jobs: Jobs<Transaction>;
  readonly secrets: Secrets;
  records<Record extends object, Scope extends ReadScope>(
    resource: Resource<Record, Scope>,
    scope: NoInfer<Scope> | PlatformScope,
  ): Records<Record>;
  /**
   * Runs `work` in one transaction of the tenant. A tenant's transactions run one after the other, so `work`
   * must not wait for another one. It may run again, so it must change nothing outside the transaction.
   */
  write<Result>(
    cid: string,
    work: (transaction: Transaction) => Promise<Result>,
    planned?: PlannedRecords,
  ): Promise<Result>;
  /** Deletes what no reader can see: superseded versions and purged records. */
  sweep(now: Date, signal?: AbortSignal): Promise<Swept>;
  /** Returns the hashes that a record of any tenant has in a `blobs` field of its resource. */
  referencedBlobs(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Fills all columns of one resource, or of all, from the records' texts. Returns the number of records. */
  reindex(resource?: string): Promise<number>;
  /** Whether the database has the tables of this version. Rejects when it does not answer. */
  ready(): Promise<boolean>;
  /** A number that changes with every change by any process; null if reading it takes a query (PostgreSQL). */
  version(): number | null;
  /** Waits for running transactions. Closing again does nothing. */
  close(): Promise<void>;
}
