import type { Awaitable } from "../foundation/awaitable.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { Clock } from "../foundation/clock.ts";
import type { ServerLimits } from "../foundation/config.ts";
import { errors } from "../foundation/errors.ts";
import type { Growth, Store } from "../store/index.ts";

export interface StorageParts {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly limits: Pick<ServerLimits, "storageBytes" | "tenantStorageBytes">;
}

/** What is used of the storage, for operators. */
export interface StorageState {
  /** Null: no limit. */
  readonly limit_bytes: number | null;
  /** Null if it is not counted yet, or if there is no limit. */
  readonly used_bytes: number | null;
  readonly tenant_limit_bytes: number | null;
}

/** What one request may add. Release it when its records and files are stored, or are not. */
export interface Room {
  /** Throws a 507 if so many more bytes would exceed a limit. */
  take(bytes: number): void;
  release(): void;
}

/** Maximum wait of a request until all records are counted, once after a start. */
const patienceMilliseconds = 2_000;
const retrySeconds = 5;

/** Intervals of the clock, in milliseconds. */
const intervals = {
  /** PostgreSQL looks at each of its files, so its size is not read for each request. */
  database: { sqlite: 0, postgres: 5_000 },
  /** For writes of other processes. */
  tenant: 60_000,
  /** For files of other processes. */
  files: 3_600_000,
} as const;

/** A count that other requests share, and that is repeated in the background. */
class Counted {
  value = 0;
  at = -Infinity;
  /** The count in progress, if there is one. */
  counting: Promise<void> | null = null;

  get isKnown(): boolean {
    return this.at !== -Infinity;
  }

  /** A promise if the value is not known yet. `count` sets the value. */
  refresh(now: number, every: number, count: () => Promise<void>): Promise<void> | undefined {
    if (this.counting === null && now - this.at >= every) {
      this.counting = this.#count(now, count);
      // Who waits sees the failure. A repetition that fails is tried again by the next request.
      this.counting.catch(() => undefined);
    }
    return this.isKnown ? undefined : (this.counting ?? undefined);
  }

  async #count(now: number, count: () => Promise<void>): Promise<void> {
    try {
      await count();
      this.at = now;
    } finally {
      this.counting = null;
    }
  }
}

class TenantUse extends Counted {
  /** The last write that the value contains. */
  number: number | undefined;
  /** Writes of this process during the count. */
  recent: Growth[] = [];
  /** Bytes of requests in progress. */
  taken = 0;
}

/** Everything that is counted, for one state of the database. A restored snapshot is counted anew. */
class Counts {
  readonly contents: object;
  readonly tenants = new Map<string, TenantUse>();
  readonly database = new Counted();
  readonly files = new Counted();
  /** Bytes that this process has written since the size of the database was read. */
  grown = 0;
  /** Bytes by which the files changed while they were counted. */
  filesChanged = 0;
  /** Bytes of requests in progress. */
  taken = 0;

  constructor(contents: object) {
    this.contents = contents;
  }
}

/**
 * The limits of storage: of the database with all files, and of each tenant's records and files. Tenants are added up
 * once, at their first request after a start that adds records; from then on, this process adds and subtracts what it
 * writes. Other processes are noticed at intervals.
 */
export class Storage {
  readonly #parts: StorageParts;
  #counts: Counts;

  constructor(parts: StorageParts) {
    this.#parts = parts;
    const { store, blobs, limits } = parts;
    this.#counts = new Counts(store.contents);
    store.sizes.onGrowth((growth) => this.#note(growth));
    if (limits.storageBytes > 0) {
      blobs.watch((bytes) => {
        const { files } = this.#counts;
        files.value += bytes;
        if (files.counting !== null) this.#counts.filesChanged += bytes;
      });
    }
  }

  /**
   * The room of a request of a tenant. Throws a 507 if there is none, and a 503 while everything is still being
   * counted.
   */
  async open(cid: string): Promise<Room> {
    const waiting = this.#refresh(cid);
    if (waiting !== undefined) await withPatience(waiting);
    const counts = this.#counts;
    const tenant = tenantIn(counts, cid);
    let taken = 0;
    const take = (bytes: number): void => {
      this.#require(counts, tenant, bytes);
      taken += bytes;
      counts.taken += bytes;
      tenant.taken += bytes;
    };
    // At the limit, even an empty request is refused.
    this.#require(counts, tenant, 1);
    return {
      take,
      release: () => {
        counts.taken -= taken;
        tenant.taken -= taken;
        taken = 0;
      },
    };
  }

  /** Runs work that adds about `bytes` bytes. Throws an error if a limit has no room for them. */
  async within<Result>(cid: string, bytes: number, work: () => Awaitable<Result>): Promise<Result> {
    const room = await this.open(cid);
    try {
      room.take(bytes);
      return await work();
    } finally {
      room.release();
    }
  }

  /** Throws a 507 if the tenant can add nothing. For work in the background. */
  async requireRoom(cid: string): Promise<void> {
    (await this.open(cid)).release();
  }

  /** Counts what the state of the server shows. */
  async state(): Promise<StorageState> {
    const { storageBytes, tenantStorageBytes } = this.#parts.limits;
    const limits = {
      limit_bytes: storageBytes === 0 ? null : storageBytes,
      tenant_limit_bytes: tenantStorageBytes === 0 ? null : tenantStorageBytes,
    };
    if (storageBytes === 0) return { ...limits, used_bytes: null };
    try {
      const waiting = this.#refresh(null);
      if (waiting !== undefined) await withPatience(waiting);
      return { ...limits, used_bytes: usedOf(this.#counts) };
    } catch {
      return { ...limits, used_bytes: null };
    }
  }

  #require(counts: Counts, tenant: TenantUse, needed: number): void {
    const { storageBytes, tenantStorageBytes } = this.#parts.limits;
    if (tenantStorageBytes > 0) {
      requireBelow("the tenant's", tenant.value + tenant.taken, tenantStorageBytes, needed);
    }
    if (storageBytes > 0) {
      requireBelow("the server's", usedOf(counts) + counts.taken, storageBytes, needed);
    }
  }

  /** Counts again what is out of date. Returns a promise if a limit cannot be judged before. */
  #refresh(cid: string | null): Promise<unknown> | undefined {
    const { store, clock, limits } = this.#parts;
    if (this.#counts.contents !== store.contents) this.#counts = new Counts(store.contents);
    const counts = this.#counts;
    const now = clock.now().getTime();
    const waiting: (Promise<unknown> | undefined)[] = [];
    if (limits.storageBytes > 0) {
      const every = intervals.database[store.engine];
      const { database, files } = counts;
      waiting.push(
        database.refresh(now, every, () => this.#countDatabase(counts)),
        // SQLite tells its size in microseconds, so that it is always the current one.
        every === 0 ? (database.counting ?? undefined) : undefined,
        files.refresh(now, intervals.files, () => this.#countFiles(counts)),
      );
    }
    if (cid !== null && limits.tenantStorageBytes > 0) {
      const tenant = tenantIn(counts, cid);
      waiting.push(tenant.refresh(now, intervals.tenant, () => this.#countTenant(cid, tenant)));
    }
    const needed = waiting.filter((each) => each !== undefined);
    return needed.length === 0 ? undefined : Promise.all(needed);
  }

  async #countDatabase(counts: Counts): Promise<void> {
    const { grown, database } = counts;
    database.value = await this.#parts.store.sizes.database();
    counts.grown -= grown;
  }

  async #countFiles(counts: Counts): Promise<void> {
    counts.filesChanged = 0;
    let bytes = 0;
    for await (const blob of this.#parts.blobs.list()) bytes += blob.bytes;
    // A file that was added meanwhile may have been listed, and then counts twice until the next time.
    counts.files.value = bytes + counts.filesChanged;
  }

  async #countTenant(cid: string, tenant: TenantUse): Promise<void> {
    tenant.recent = [];
    const size = await this.#parts.store.sizes.tenant(cid, tenant.number);
    if (size === null) return;
    tenant.value = size.bytes;
    tenant.number = size.number;
    for (const growth of tenant.recent) addTo(tenant, growth);
  }

  #note(growth: Growth): void {
    const counts = this.#counts;
    counts.grown += growth.written;
    const tenant = counts.tenants.get(growth.cid);
    if (tenant === undefined) return;
    if (tenant.counting !== null) tenant.recent.push(growth);
    addTo(tenant, growth);
  }
}

/** Does nothing for a write that the last count contains. */
function addTo(tenant: TenantUse, { number, bytes }: Growth): void {
  if (tenant.number === undefined || number <= tenant.number) return;
  // With a gap, another process has written, so that the next count is needed.
  if (number === tenant.number + 1) tenant.number = number;
  tenant.value += bytes;
}

/** PostgreSQL's size is that of some seconds ago, so what was written since is added. */
const usedOf = ({ database, files, grown }: Counts): number => database.value + grown + files.value;

function tenantIn({ tenants }: Counts, cid: string): TenantUse {
  let tenant = tenants.get(cid);
  if (tenant === undefined) {
    tenant = new TenantUse();
    tenants.set(cid, tenant);
  }
  return tenant;
}

function requireBelow(whose: string, used: number, limit: number, needed: number): void {
  if (used + needed > limit) throw errors.storageFull(whose, { used, limit, needed });
}

async function withPatience(counted: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const impatience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(errors.countingStorage(retrySeconds)), patienceMilliseconds);
  });
  try {
    await Promise.race([counted, impatience]);
  } finally {
    clearTimeout(timer);
  }
}
