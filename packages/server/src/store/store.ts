import type { Clock } from "../foundation/clock.ts";
import type { Keyring } from "../secrets/keyring.ts";
import { appendAudit } from "./writing/audit.ts";
import { referencedBlobs } from "./writing/blob-references.ts";
import type { PoolLoad } from "./types/pool-load.ts";
import type { ReplicaLoad } from "./types/replica.ts";
import type { Connection, Database } from "./dialects/dialect.ts";
import { changeSetting, raiseCatalogue } from "./directory/catalogue-version.ts";
import { StoredDirectory } from "./directory/directory.ts";
import { enqueueJob } from "./jobs/enqueue.ts";
import { StoreError } from "./types/errors.ts";
import { StoredJobs } from "./jobs/jobs.ts";
import { PageStarts } from "./reading/page-starts.ts";
import { openTransaction } from "./writing/open-transaction.ts";
import { reactionsTo, type ReactionContext } from "./writing/reactions.ts";
import { RecordWriter } from "./writing/record-writer.ts";
import { finishMigration, isMigrated, type Migration } from "./schema/migrate.ts";
import { comparePrepared, type KnownSchema } from "./schema/prepare-database.ts";
import { catchUp } from "./schema/upgrade-records.ts";
import { RecordReader, type Shared } from "./reading/records.ts";
import { needsAncestors, sourcesOf, withReaderFields } from "./reading/sources.ts";
import { Sealer } from "./secrets/sealer.ts";
import { StoredRequests, takeRequest } from "./requests/keyed-requests.ts";
import { StoredLimitCounts } from "./requests/limit-counts.ts";
import { StoredSecrets } from "./secrets/stored-secrets.ts";
import { nextNumbers } from "./writing/sequences.ts";
import { sweep } from "./writing/sweep.ts";
import { Totals } from "./reading/totals.ts";
import { KnownTrigrams } from "./reading/trigram-fields.ts";
import type {
  PlatformScope,
  Readiness,
  ReadScope,
  Records,
  Growth,
  Resource,
  Sizes,
  Snapshots,
  Store,
  Swept,
  Transaction,
  TrigramIndexes,
  UpgradeProgress,
  WriteOptions,
} from "./types/types.ts";

export interface DatabaseStoreParts {
  readonly clock: Clock;
  readonly resources: readonly Resource[];
  readonly keys: Keyring;
  readonly migrations: readonly Migration[];
}

export class DatabaseStore implements Store {
  readonly engine: Store["engine"];
  readonly directory: StoredDirectory;
  readonly jobs: StoredJobs;
  readonly secrets: StoredSecrets;
  readonly snapshots: Snapshots | null;
  readonly requests: StoredRequests;
  readonly limitCounts: StoredLimitCounts | null;
  readonly sizes: Sizes;
  readonly trigrams: TrigramIndexes | null;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #resources: readonly Resource[];
  readonly #migrations: readonly Migration[];
  #shared: Shared;
  #contents: object = {};
  #noteGrowth: ((growth: Growth) => void) | null = null;
  #closed: Promise<void> | null = null;

  constructor(database: Database, { clock, resources, keys, migrations }: DatabaseStoreParts) {
    this.#migrations = migrations;
    this.engine = database.dialect.engine;
    this.directory = new StoredDirectory(database, (cid, work, prepare) =>
      this.#transact(cid, work, prepare),
    );
    this.#database = database;
    this.#clock = clock;
    this.#resources = resources;
    const sealer = new Sealer(keys);
    const shared = () => ({
      pageStarts: new PageStarts(),
      totals: new Totals(),
      trigrams: new KnownTrigrams(),
      sealer,
    });
    this.#shared = shared();
    const { snapshots = null } = database;
    this.snapshots = snapshots && {
      take: () => snapshots.take(),
      restore: async (number) => {
        await snapshots.restore(number);
        // The keys of caches contain write numbers, which are used again.
        this.#shared = shared();
        this.directory.forget();
        this.#contents = {};
      },
      free: (number) => snapshots.free(number),
    };
    this.jobs = new StoredJobs(database, (cid, work, options) =>
      this.#transact(cid, work, undefined, options),
    );
    this.requests = new StoredRequests(database);
    this.limitCounts = this.engine === "postgres" ? new StoredLimitCounts(database) : null;
    this.sizes = {
      // Loaded only if a limit needs them, because pages download the server.
      database: async () => (await import("./reading/sizes.ts")).databaseSize(database),
      tenant: async (cid, known) => {
        const { tenantSize } = await import("./reading/sizes.ts");
        return tenantSize(database, resources, cid, known);
      },
      onGrowth: (listener) => {
        this.#noteGrowth = listener;
      },
    };
    this.trigrams = trigramIndexes(database, resources);
    this.secrets = new StoredSecrets({
      database,
      directory: this.directory,
      sealer,
      resources,
      transact: (cid, work) => this.#transact(cid, (_transaction, connection) => work(connection)),
    });
  }

  get contents(): object {
    return this.#contents;
  }

  records<Record extends object, Scope extends ReadScope>(
    resource: Resource<Record, Scope>,
    scope: NoInfer<Scope> | PlatformScope,
  ): Records<Record> {
    return new RecordReader(resource, this.#shared, {
      sources: async (fields) => {
        const ancestors = needsAncestors(resource, scope)
          ? await this.directory.ancestors(scope.cid)
          : [];
        return withReaderFields(resource, scope, sourcesOf(resource, scope, ancestors), fields);
      },
      database: this.#database,
    });
  }

  write<Result>(
    cid: string,
    work: (transaction: Transaction) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result> {
    return this.#transact(cid, work, undefined, options);
  }

  async #transact<Result>(
    cid: string,
    work: (transaction: Transaction, connection: Connection) => Promise<Result>,
    prepare?: (connection: Connection) => Promise<void>,
    options?: WriteOptions,
  ): Promise<Result> {
    let enqueued = false;
    let growth: Growth | null = null;
    const isMeasured = this.#noteGrowth !== null;
    const run = async (connection: Connection): Promise<Result> => {
      const checks: (() => Promise<void>)[] = [];
      await prepare?.(connection);
      const open = await openTransaction(connection, cid, {
        now: this.#clock.now(),
        isNewTenant: prepare !== undefined,
        isMeasured,
      });
      const beforeCommit = (check: () => Promise<void>) => void checks.push(check);
      const transaction: Transaction = {
        cid,
        records: <Record extends object, Scope extends ReadScope>(
          resource: Resource<Record, Scope>,
          scope?: NoInfer<Scope>,
        ) => {
          const react = reactionsTo(resource, reactionContext);
          return new RecordWriter(resource, this.#shared, open, react, scope ?? null);
        },
        audit: (entry) => appendAudit(connection, cid, entry),
        nextNumbers: (name, count, past = 0) => nextNumbers(connection, cid, { name, count, past }),
        raiseCatalogue: (version) => raiseCatalogue(connection, cid, version, beforeCommit),
        changeSetting: (...change) => changeSetting(connection, ...change),
        take: (request) => takeRequest(connection, request),
        beforeCommit,
        enqueue: (job, now) => {
          enqueued = true;
          return enqueueJob(connection, cid, job, now);
        },
      };
      const reactionContext: ReactionContext = {
        connection,
        resources: this.#resources,
        transaction,
        noteJobs: () => {
          enqueued = true;
        },
      };
      try {
        const outcome = await work(transaction, connection);
        // A check may write, which may add further checks.
        for (const check of checks) await check();
        if (open.growth !== null) growth = { cid, number: await open.number, ...open.growth };
        return outcome;
      } finally {
        await open.number;
      }
    };
    const result = await this.#database.write(cid, run, options);
    if (growth !== null) this.#noteGrowth?.(growth);
    if (enqueued) this.jobs.noteEnqueued();
    return result;
  }

  sweep(now: Date, signal?: AbortSignal): Promise<Swept> {
    return sweep(this.#database, this.#resources, now, signal);
  }

  referencedBlobs(hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return referencedBlobs(this.#database, this.#resources, hashes);
  }

  async reindex(resource?: string): Promise<number> {
    const resources = this.#resources.filter(
      ({ name }) => resource === undefined || name === resource,
    );
    if (resources.length === 0) throw new StoreError(`there is no resource ${resource}`);
    const { fillRows } = await import("./schema/fill.ts");
    return this.#database.asOwner(async (connection) => {
      const { own } = await comparePrepared(connection, this.#known);
      let rows = 0;
      for (const each of resources) {
        if (!own.includes(each)) {
          throw new StoreError(
            `a later version has changed the tables of "${each.name}"; fill them with that version`,
          );
        }
        rows += await fillRows(connection, each);
      }
      return rows;
    });
  }

  async finishUpgrade(onUpgrade?: (progress: UpgradeProgress) => void): Promise<boolean> {
    const [clock, resources] = [this.#clock, this.#resources];
    await this.#database.asOwner(async (connection) => {
      const { isEarlier } = await comparePrepared(connection, this.#known);
      if (!isEarlier) return;
      throw new StoreError(
        "a later version has changed this database; finish the upgrade with that version",
      );
    });
    await catchUp(this.#database, { clock, resources, onUpgrade }, true);
    const finish = async (connection: Connection): Promise<boolean> => {
      const changed = await finishMigration(connection, clock.now(), this.#migrations);
      if (changed) await connection.run(connection.dialect.admit);
      return changed;
    };
    return this.#database.asOwner(finish, { yields: true });
  }

  get #known(): KnownSchema {
    return { clock: this.#clock, resources: this.#resources, steps: this.#migrations };
  }

  analyze(): Promise<void> {
    return this.#database.analyze();
  }

  async ready(): Promise<Readiness> {
    if (!(await this.#database.acceptsWrites())) return "read-only";
    const isReady = await this.#database.read([], (connection) =>
      isMigrated(connection, this.#migrations),
    );
    return isReady ? "ready" : "outdated";
  }

  load(): readonly PoolLoad[] {
    return this.#database.load();
  }

  replica(): ReplicaLoad | null {
    return this.#database.replica?.load() ?? null;
  }

  version(): number | null {
    return this.#database.version();
  }

  close(): Promise<void> {
    this.#closed ??= this.#database.close();
    return this.#closed;
  }
}

/** Null: the engine has none. Loaded with the first call, because pages download the server. */
function trigramIndexes(
  { outside, dialect: { trigrams } }: Database,
  resources: readonly Resource[],
): TrigramIndexes | null {
  if (outside === undefined || trigrams === null) return null;
  const load = async () => {
    const { StoredTrigramIndexes } = await import("./schema/trigram-indexes.ts");
    return new StoredTrigramIndexes(outside, trigrams, resources);
  };
  return {
    list: async () => (await load()).list(),
    add: async (...of) => (await load()).add(...of),
    remove: async (...of) => (await load()).remove(...of),
  };
}
