import type { Fields, Predicate, SortKey } from "@security-platform/fql";
import type { AuditEntry, StoredAuditEntry } from "./audit-entry.ts";
import type { AccessToken, ApiClient, ClientSecret } from "./client.ts";
import type { Facets } from "./facet.ts";
import type { Jobs, NewJob } from "./job.ts";
import type { JsonObject } from "./json.ts";
import type { KeyedRequest, KeyedRequests } from "./keyed-request.ts";
import type { LimitCounts } from "../../foundation/limit-counts.ts";
import type { PoolLoad } from "./pool-load.ts";
import type { ReplicaLoad } from "./replica.ts";
import type { Secrets } from "./secrets.ts";
import type { Sizes } from "./sizes.ts";
import type { TrigramIndexes } from "./trigrams.ts";
import type { Snapshots } from "./snapshots.ts";
import type { PlatformScope, ReadScope, Tenant, Visibility } from "./visibility.ts";

export type { JsonObject };
export type { AuditEntry, StoredAuditEntry } from "./audit-entry.ts";
export type { AccessToken, ApiClient, ClientSecret } from "./client.ts";
export type { StoredResponse, KeyedRequest } from "./keyed-request.ts";
export type { Facet, Facets, FacetValue } from "./facet.ts";
export type { Growth, Sizes } from "./sizes.ts";
export type { TrigramIndexes } from "./trigrams.ts";
export type { Snapshots } from "./snapshots.ts";
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
 * The store's description of one kind of record. Tables, columns and indexes are derived from it. Records are
 * always written completely, in wire form; `fields` lists what can be filtered and sorted. Its functions are
 * methods, so that a `Resource` of any record type is assignable to `Resource`.
 */
export interface Resource<Record extends object = object, Scope extends ReadScope = ReadScope> {
  /** Snake-case plural, unique: `indicators`. The table is `<collection>_<name>`. */
  readonly name: string;
  readonly collection: string;
  /** The `x-fql` table of the resource. */
  readonly fields: Fields;
  /** The member of the record that holds its identifier. */
  readonly id: string;
  /** A text that is unique among the live records that a tenant sees; null: the record has none. */
  uniqueKey?(record: Record): string | null;
  /** For records that change by themselves at an instant. The text after the change is stored as well. */
  readonly expiry?: Expiry<Record>;
  /** Deleted records stay for a number of days, visible only to filters with `deleted:true`. */
  readonly softDelete?: SoftDelete<Record>;
  /** Members that are stored, filterable and sortable, but never served. */
  readonly hidden?: readonly string[];
  /**
   * Hidden members that are secret. The database stores them encrypted. Callers that write records or read
   * complete ones use plain text. Existing records are encrypted at the next start.
   */
  readonly sealed?: readonly string[];
  /** Which records a reader sees, and in which form. Default: those of the reader's tenant, as stored. */
  readonly visibility?: Visibility<Record, Scope>;
  /** Fields for sorting or filtering with an index each. */
  readonly indexes: readonly string[];
  /** Text fields without regard to case whose values are stored in lower case, so that their order needs no index. */
  readonly folded?: readonly string[];
  /** A text field with a separate index for predicates of the kinds `words` and `text`. */
  readonly words?: string;
  /** Fields with SHA-256 hashes of blobs, which are kept as long as the record. */
  readonly blobs?: readonly string[];
  /** The field with the size of these blobs in bytes. The record counts for its tenant with them. */
  readonly blobBytes?: string;
  /**
   * Instants, by name, at which something happens to the record. A job kind defines what happens. Each
   * instant fires once. A write that changes or removes the instant moves or cancels it.
   */
  readonly due?: { readonly [name: string]: DueInstant<Record> };
  /** For records that earlier versions of the server wrote in another form. */
  readonly upgrade?: Upgrade<Record>;
  /** Reactions to every write to the records, whatever its origin. Set in `platform/resources.ts`. */
  readonly reactions?: readonly Reaction<Record>[];
}

/** Brings stored records to the form in which this version of the server writes them, at the start. */
export interface Upgrade<Record> {
  /** Increase it whenever `run` changes: every stored record passes through `run` again. */
  readonly revision: number;
  /**
   * Returns the record as it would be written today, with its members in their order. Leaves a record in this
   * form unchanged. Keeps the identifier and the due instants; nothing reacts to the change.
   */
  run(record: Record): Record;
}

/** How far an upgrade is. */
export interface UpgradeProgress {
  /** The name of the table. */
  readonly resource: string;
  /** Number of versions that the upgrade has read. */
  readonly read: number;
  /** Number of changed records. */
  readonly changed: number;
  /** Number of records in the table, including those that were deleted. */
  readonly records: number;
}

/** A record before and after a write. Null if it does not exist at that time. */
export interface RecordChange<Record> {
  readonly before: Record | null;
  readonly after: Record | null;
}

/**
 * Updates other records in the transaction of the changes. An error prevents the write. A reaction is an
 * object with a method, so that a `Resource` of any record type is assignable to `Resource`.
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
  /** The instant at which the records are read. It decides which records have expired. */
  readonly now: Date;
  /** Offset paging. The answer then has a total. */
  readonly offset?: number;
  /** Keyset paging: the end of the previous page, and the state of the data that it saw. */
  readonly after?: Position;
}

/** The end of a page. Opaque outside the store; sent to callers in a signed cursor. */
export interface Position {
  /** For each source, the number of the last write that the scan sees. The scan sees no later versions. */
  readonly snapshot: readonly number[];
  readonly keys: readonly (string | number | boolean | null)[];
  /** Index of the last record's source in the list of sources. */
  readonly place: number;
  readonly row: number;
}

export interface Page {
  /** Record texts or identifiers, as requested. */
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
  /** The live records with these ids, with their hidden members. */
  getComplete(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Record>>;
  /** Like `getComplete`, but as the records were written, before they expired. */
  getWritten(ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Record>>;
  page(query: PageQuery): Promise<Page>;
  count(predicate: Predicate, now: Date): Promise<number>;
  /** Every matching record in batches, in write order, with constant memory. */
  scan(predicate: Predicate, now: Date, batch?: number): AsyncIterable<readonly RecordText[]>;
  /** Like `scan`, with hidden members. */
  scanComplete(predicate: Predicate, now: Date, batch?: number): AsyncIterable<readonly Record[]>;
  /** Like `scan`, but only the identifiers. */
  scanIds(predicate: Predicate, now: Date, batch?: number): AsyncIterable<readonly string[]>;
  /**
   * Distinct values of a field among the matching records, in ascending order: after `after`, or from the position
   * `offset` on.
   */
  distinct(
    field: string,
    predicate: Predicate,
    options: { now: Date; limit: number; offset?: number; after?: string },
  ): Promise<readonly string[]>;
  /** The number of distinct values of a field, counted up to `ceiling`. */
  countDistinct(
    field: string,
    predicate: Predicate,
    options: { now: Date; ceiling: number },
  ): Promise<number>;
  /** A text that changes with every write to the resource in one of the reader's sources. Cheap to read. */
  revision(): Promise<string>;
  readonly facets: Facets;
  readonly resource: Resource<Record>;
}

/** Reads and writes of one resource inside a transaction. */
export interface WritableRecords<Record extends object = JsonObject> extends Records<Record> {
  /**
   * Live records by id, parsed, as they were before expiry. The tenant's own records are locked until the
   * transaction ends. Platform records that the tenant has not replaced are included; replacing one creates a
   * record of the tenant.
   */
  getForUpdate(ids: readonly string[]): Promise<ReadonlyMap<string, Record>>;
  findForUpdate(predicate: Predicate, now: Date): Promise<readonly Record[]>;
  /** Removes the matching records without reading their texts, unless a reaction needs them. */
  removeMatching(predicate: Predicate, now: Date): Promise<void>;
  /**
   * Ids of live records by unique key. `ids`: the ids of records that will be inserted, which saves `insert`
   * a round trip.
   */
  findDuplicates(
    keys: readonly string[],
    ids?: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Throws `DuplicateRecordError` if an id or a unique key is taken. */
  insert(records: readonly Record[], now: Date): Promise<readonly RecordText[]>;
  /** Replaces live records with the same ids. A platform record is replaced by a record of the tenant. */
  replace(records: readonly Record[], now: Date): Promise<readonly RecordText[]>;
  /** Inserts or replaces by id; for imports. */
  put(records: readonly Record[], now: Date): Promise<void>;
  remove(ids: readonly string[], now: Date): Promise<void>;
}

export interface Transaction {
  readonly cid: string;
  /**
   * Without a scope, sees every record of the tenant, and the platform's records if the resource has both.
   * With a scope, sees what that reader sees. Writes to records that only the platform stores throw
   * `StoreError`, unless the transaction belongs to the platform.
   */
  records<Record extends object, Scope extends ReadScope>(
    resource: Resource<Record, Scope>,
    scope?: NoInfer<Scope>,
  ): WritableRecords<Record>;
  /** Throws `StoreError` for another tenant's trail, unless the transaction belongs to the platform. */
  audit(entry: AuditEntry): Promise<void>;
  /** Runs the check after all writes of the transaction. An error rolls back the transaction. */
  beforeCommit(check: () => Promise<void>): void;
  /**
   * The first of `count` successive numbers of one of the tenant's sequences, which starts at 1. Numbers up
   * to `past` are skipped.
   */
  nextNumbers(name: string, count: number, past?: number): Promise<number>;
  /**
   * Notes that the transaction carries out this request. Throws `RequestTakenError` if another attempt of it was
   * first.
   */
  take(request: KeyedRequest): Promise<void>;
  /** Sets the version of the tenant's catalogue, unless it is as high already. Returns the one before; a new tenant's is 0. */
  raiseCatalogue(version: number): Promise<number>;
  /** Changes a setting if its value `isOld`. Only transactions of one tenant may change it. Returns whether it changed. */
  changeSetting(name: string, value: string, isOld: (stored: string) => boolean): Promise<boolean>;
  /** Adds a job of the tenant to the queue. The job runs after the transaction commits. Returns its id. */
  enqueue(job: NewJob, now: Date): Promise<number>;
}

/** Tenants, API clients, tokens, settings and the audit trail. */
export interface Directory {
  /** `fill` writes the tenant's first records in the same transaction. */
  createTenant(tenant: Tenant, fill?: (transaction: Transaction) => Promise<void>): Promise<void>;
  tenants(): Promise<readonly Tenant[]>;
  tenant(cid: string): Promise<Tenant | null>;
  /** Nearest first. */
  ancestors(cid: string): Promise<readonly Tenant[]>;
  /** Children, their children and so on. */
  descendants(cid: string): Promise<readonly Tenant[]>;
  /** Tenants whose catalogue is older than `version`. */
  tenantsBehind(version: number): Promise<readonly Tenant[]>;
  createClient(client: ApiClient, secret: ClientSecret): Promise<void>;
  clients(cid?: string): Promise<readonly ApiClient[]>;
  client(clientId: string): Promise<{ client: ApiClient; secrets: readonly ClientSecret[] } | null>;
  /** Adds a secret. Older secrets expire at `olderUntil`. At most two secrets are kept. */
  rotateSecret(clientId: string, secret: ClientSecret, olderUntil: string): Promise<void>;
  /** Deletes the client and its tokens. */
  deleteClient(clientId: string): Promise<boolean>;
  saveToken(token: AccessToken): Promise<void>;
  /**
   * Also returns null for a revoked token and for a token of a deleted client. The caller checks the expiry.
   */
  token(hash: string): Promise<AccessToken | null>;
  revokeToken(hash: string, clientId: string): Promise<void>;
  /** Deletes tokens that expired at an instant or before it. Returns their number. */
  purgeTokens(expiredAt: string): Promise<number>;
  /** Replaces the value that `setting` returns. */
  changeSetting(name: string, value: string): Promise<void>;
  /**
   * Returns a value that is created once per database and shared by all processes. It is stored in plain
   * text.
   */
  setting(name: string, initial: () => string): Promise<string>;
  auditEntries(query: {
    cid: string;
    limit: number;
    before?: number;
  }): Promise<readonly StoredAuditEntry[]>;
}

export interface Swept {
  /** Number of examined tenants: those with a write since the last sweep or with a record to purge. */
  readonly tenants: number;
  /** Number of removed versions of records. */
  readonly rows: number;
}

export interface WriteOptions {
  /**
   * Whether the transaction may change tens of thousands of records. On SQLite its statements and its commit then
   * run in a thread.
   */
  readonly large?: boolean | undefined;
}

/** `outdated`: the database does not have the tables of this version. */
export type Readiness = "ready" | "read-only" | "outdated";

export interface Store {
  readonly engine: "sqlite" | "postgres";
  readonly directory: Directory;
  readonly jobs: Jobs<Transaction>;
  readonly secrets: Secrets;
  /** Copies and restores everything that is stored. Null: the database cannot. */
  readonly snapshots: Snapshots | null;
  /** The key for caches of stored data. A restored snapshot has a new one. */
  readonly contents: object;
  readonly requests: KeyedRequests;
  /** Null on SQLite, which serves one machine. */
  readonly limitCounts: LimitCounts | null;
  readonly sizes: Sizes;
  /** Null on SQLite, which has none. */
  readonly trigrams: TrigramIndexes | null;
  records<Record extends object, Scope extends ReadScope>(
    resource: Resource<Record, Scope>,
    scope: NoInfer<Scope> | PlatformScope,
  ): Records<Record>;
  /**
   * Runs `work` in one transaction of the tenant. A tenant's transactions run one after the other, so `work`
   * must not wait for another one.
   */
  write<Result>(
    cid: string,
    work: (transaction: Transaction) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result>;
  /** Deletes data that no reader can see: superseded versions and purged records. */
  sweep(now: Date, signal?: AbortSignal): Promise<Swept>;
  /** Returns the hashes that are used in a `blobs` field of a record of any tenant. */
  referencedBlobs(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Ends an upgrade when no server of an earlier version is left: upgrades the records that these have written since, and
   * runs the steps of the schema that they would not have survived. Returns true if there were such steps.
   */
  finishUpgrade(onUpgrade?: (progress: UpgradeProgress) => void): Promise<boolean>;
  /** Fills all columns of one resource, or of all, from the records' texts. Returns the number of records. */
  reindex(resource?: string): Promise<number>;
  /** Updates the statistics of the database's planner. For the end of an import of many records. */
  analyze(): Promise<void>;
  /** Whether requests can be handled. Rejects if the database does not respond. */
  ready(): Promise<Readiness>;
  /** What the connections to the database do now. */
  load(): readonly PoolLoad[];
  /** Null: all reads go to the database itself. */
  replica(): ReplicaLoad | null;
  /**
   * A number that changes with every change by any process. Null if reading it needs a query (PostgreSQL).
   */
  version(): number | null;
  /** Waits for running transactions. A repeated call does nothing. */
  close(): Promise<void>;
}
