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
 * What the store must know of one kind of record. Tables, columns and indexes follow from it. A record
 * is written as a whole, in wire form; `fields` names what can be filtered and sorted. Its functions are
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
  /** Text that no two live records that a tenant sees share, or null where there is no such rule. */
  uniqueKey?(record: Record): string | null;
  /** A record that changes by itself at an instant: its text from then on is stored beside it. */
  readonly turn?: Turn<Record>;
  /** Deleted records stay, visible only to a filter that names `deleted:true`, for this many days. */
  readonly softDelete?: SoftDelete<Record>;
  /** Members of the record that are kept, filtered and sorted by, but never part of its text. */
  readonly hidden?: readonly string[];
  /** Which records a reader sees, and how. Default: those of the reader's tenant, as they are stored. */
  readonly visibility?: Visibility<Record, Scope>;
  /** Fields to sort or filter by that have an index each. */
  readonly indexes: readonly string[];
  /** A text field whose words are indexed, for predicates of the kind `words`. */
  readonly words?: string;
  /** Fields that hold SHA-256 hashes: blobs that are kept as long as the record is. */
  readonly blobs?: readonly string[];
  /**
   * Instants at which something happens to the record, by name; what happens is registered with the
   * jobs. Each fires once. A write that changes or removes the instant moves or cancels it.
   */
  readonly due?: { readonly [name: string]: DueInstant<Record> };
  /** What follows from every write to the records, however it came about. Set in `resources.ts`. */
  readonly reactions?: readonly Reaction<Record>[];
}

/** A record before and after a write; null where it did not exist or no longer exists. */
export interface RecordChange<Record> {
  readonly before: Record | null;
  readonly after: Record | null;
}

/**
 * Brings other records up to date, in the transaction that changed these. An error refuses the write.
 * An object with a method, so that a `Resource` of any record is a `Resource`.
 */
export interface Reaction<Record> {
  run(transaction: Transaction, changes: readonly RecordChange<Record>[], now: Date): Promise<void>;
}

export interface Turn<Record> {
  /** RFC 3339 instant, or null: never. */
  at(record: Record): string | null;
  after(record: Record): Record;
  /** The entries of `fields` whose value may be another after the turn. */
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

/** Where a page ended. Opaque outside the store; travels in a signed cursor. */
export interface Position {
  /** Number of the last write that the scan sees, of each source; it does not see later versions. */
  readonly snapshot: readonly number[];
  readonly keys: readonly (string | number | boolean | null)[];
  /** Place of the last record's source among all sources. */
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
  get(ids: readonly string[], now: Date): Awaitable<ReadonlyMap<string, RecordText>>;
  /** Records by id with their hidden members, live records only. */
  whole(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Record>>;
  page(query: PageQuery): Promise<Page>;
  count(predicate: Predicate, now: Date): Promise<number>;
  /** Every matching record in batches, in write order, with constant memory. */
  scan(predicate: Predicate, now: Date, batch?: number): AsyncIterable<readonly RecordText[]>;
  /** As `scan`, with hidden members. */
  scanWhole(predicate: Predicate, now: Date, batch?: number): AsyncIterable<readonly Record[]>;
  /** Distinct values of a field among the matching records, ascending, from after `after`. */
  distinct(
    field: string,
    predicate: Predicate,
    options: { now: Date; limit: number; after?: string },
  ): Promise<readonly string[]>;
  /** How many distinct values a field has, counted no further than `ceiling`. */
  countDistinct(
    field: string,
    predicate: Predicate,
    options: { now: Date; ceiling: number },
  ): Promise<number>;
  /** Another text after every write to the resource in one of its sources; cheap to ask for. */
  standing(): Promise<string>;
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

/** Reads and writes of one resource inside a transaction; all of it happens or none. */
export interface WritableRecords<Record extends object = JsonObject> extends Records<Record> {
  /**
   * Live records by id, parsed, in their text before any turn. Own ones are locked until the transaction
   * ends. A platform record is given where the tenant has none in its place; to replace it makes the
   * tenant's own.
   */
  take(ids: readonly string[]): Promise<ReadonlyMap<string, Record>>;
  takeMatching(predicate: Predicate, now: Date): Promise<readonly Record[]>;
  /** Ids of live records by unique key. */
  findDuplicates(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
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
  /** What the write touched: record ids. */
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

/** Tenants, API clients and tokens: what stands above the records. */
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
  /** Null also for a revoked token and one whose client is gone; expiry is the caller's to judge. */
  token(hash: string): Promise<AccessToken | null>;
  revokeToken(hash: string, clientId: string): Promise<void>;
  /** Deletes tokens that expired before an instant. Returns how many. */
  purgeTokens(expiredBefore: string): Promise<number>;
  /** Replaces a value that `setting` returns from now on. */
  changeSetting(name: string, value: string): Promise<void>;
  /** A value made once for this database and shared by all processes (signing keys). */
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

export interface Store {
  readonly engine: "sqlite" | "postgres";
  readonly directory: Directory;
  readonly jobs: Jobs<Transaction>;
  records<Record extends object, Scope extends ReadScope>(
    resource: Resource<Record, Scope>,
    scope: NoInfer<Scope> | PlatformScope,
  ): Records<Record>;
  /**
   * Runs `work` in one transaction of the tenant. Writes of a tenant happen one after the other: one
   * that waits for another, from inside, waits for ever.
   */
  write<Result>(cid: string, work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Removes what no reader can see any more: superseded versions, purged soft deletes. */
  sweep(now: Date, signal?: AbortSignal): Promise<Swept>;
  /** Those of the hashes that a record of any tenant holds in one of its resource's `blobs` fields. */
  referencedBlobs(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Fills every column again from the records' texts; of one resource, or of all. Gives the number of records. */
  reindex(resource?: string): Promise<number>;
  /** Whether the database has the tables of this version. Rejects when it does not answer. */
  ready(): Promise<boolean>;
  /**
   * A number that is another after every change of the database, by whichever process; null where that
   * cannot be told for less than a look-up (PostgreSQL).
   */
  version(): number | null;
  /** Finishes what is under way. Closing again does nothing. */
  close(): Promise<void>;
}
