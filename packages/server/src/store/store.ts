import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import { appendAudit } from "./audit.ts";
import { referencedBlobs } from "./blob-references.ts";
import type { Connection, Database } from "./dialects/dialect.ts";
import { StoredDirectory } from "./directory.ts";
import { followDueInstants } from "./due-instants.ts";
import { enqueueJob } from "./enqueue.ts";
import { StoreError } from "./errors.ts";
import { fillRows } from "./fill.ts";
import { StoredJobs } from "./jobs.ts";
import { Leads } from "./lead.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import { RecordWriter, type React, type Writing } from "./record-writer.ts";
import { RecordReader, type Access, type Shared } from "./records.ts";
import { Parameter } from "./plan-key.ts";
import { needsAncestors, sourcesOf, withFields, type Source } from "./sources.ts";
import { bind, Statements, Template } from "./statements.ts";
import { sweep } from "./sweep.ts";
import { Totals } from "./totals.ts";
import {
  type Directory,
  type PlatformScope,
  type ReadScope,
  type Records,
  type Resource,
  type Store,
  type Swept,
  type Tenant,
  type Transaction,
} from "./types.ts";
import { instantText } from "./view.ts";

const lineagesKept = 10_000;

const nextNumber = new Template<{ cid: Parameter<string> }, { number: number }, null>(
  ({ cid }) => sql<{ number: number }>`
    update write_numbers set number = number + 1
    where cid = ${bind(cid)} and resource = '' returning number`,
);

interface WriteTime {
  readonly cid: Parameter<string>;
  readonly number: Parameter<number>;
  readonly at: Parameter<string>;
}

const noteTime = new Template<WriteTime, unknown, null>(
  ({ cid, number, at }) => sql`insert into write_times (cid, number, at)
    values (${bind(cid)}, ${bind(number)}, ${bind(at)})`,
);

/** The tenants that the fence of PostgreSQL must let through. */
const fencesOf = (sources: readonly Source[]): readonly string[] => [
  ...new Set(sources.map(({ fence }) => fence)),
];

export class DatabaseStore implements Store {
  readonly engine: Store["engine"];
  readonly directory: Directory;
  readonly jobs: StoredJobs;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #resources: readonly Resource[];
  readonly #shared: Shared;
  #closed: Promise<void> | null = null;
  /** Tenants never change their parents. */
  readonly #lineages = new LeastRecentlyUsed<string, readonly Tenant[]>(lineagesKept);

  constructor(
    database: Database,
    { clock, resources }: { readonly clock: Clock; readonly resources: readonly Resource[] },
  ) {
    const statements = new Statements(database.dialect);
    this.engine = database.dialect.engine;
    this.directory = new StoredDirectory(database, statements, (cid, work, prepare) =>
      this.#transact(cid, work, prepare),
    );
    this.#database = database;
    this.#clock = clock;
    this.#resources = resources;
    this.#shared = { statements, leads: new Leads(statements), totals: new Totals() };
    this.jobs = new StoredJobs(database, statements, (cid, work) => this.#transact(cid, work));
  }

  records<Record extends object, Scope extends ReadScope>(
    resource: Resource<Record, Scope>,
    scope: NoInfer<Scope> | PlatformScope,
  ): Records<Record> {
    return new RecordReader(resource, this.#shared, {
      sources: this.#sourcesFor(resource, scope),
      use: (sources, work) => this.#database.read(fencesOf(sources), work),
      useNow: (sources, work) => this.#database.readNow(fencesOf(sources), work),
    });
  }

  write<Result>(cid: string, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#transact(cid, work);
  }

  async #transact<Result>(
    cid: string,
    work: (transaction: Transaction, connection: Connection) => Promise<Result>,
    prepare?: (connection: Connection) => Promise<void>,
  ): Promise<Result> {
    const { statements } = this.#shared;
    let enqueued = false;
    const checks: (() => Promise<void>)[] = [];
    const result = await this.#database.write(cid, async (connection) => {
      await prepare?.(connection);
      const begun = await this.#begin(connection, cid);
      const isNewTenant = prepare !== undefined;
      const writing: Writing = { ...begun, isNewTenant, filled: new Set() };
      const transaction: Transaction = {
        cid,
        records: <Record extends object, Scope extends ReadScope>(
          resource: Resource<Record, Scope>,
          scope?: NoInfer<Scope>,
        ) => {
          const react = this.#reactionsTo(resource, transaction, async (changes, now) => {
            enqueued = true;
            await followDueInstants(connection, statements, cid, resource, changes, now);
          });
          return new RecordWriter(resource, this.#shared, writing, react, scope ?? null);
        },
        audit: (entry) => appendAudit(connection, statements, cid, entry),
        beforeCommit: (check) => void checks.push(check),
        enqueue: (job, now) => {
          enqueued = true;
          return enqueueJob(connection, statements, cid, job, now);
        },
      };
      const outcome = await work(transaction, connection);
      // A check may write, which may add further checks.
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      for (const check of checks) await check();
      return outcome;
    });
    if (enqueued) this.jobs.noteEnqueued();
    return result;
  }

  /** Null where nothing follows from a write to the resource. */
  #reactionsTo<Record extends object>(
    { name, due }: Resource<Record>,
    transaction: Transaction,
    follow: React<Record>,
  ): React<Record> | null {
    const { reactions = [] } = this.#resources.find((resource) => resource.name === name) ?? {};
    if (reactions.length === 0 && due === undefined) return null;
    return async (changes, now) => {
      // First, as a reaction may change these records again.
      if (due !== undefined) await follow(changes, now);
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      for (const reaction of reactions) await reaction.run(transaction, changes, now);
    };
  }

  sweep(now: Date, signal?: AbortSignal): Promise<Swept> {
    return sweep(this.#database, this.#resources, now, signal);
  }

  referencedBlobs(hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return referencedBlobs(this.#database, this.#shared.statements, this.#resources, hashes);
  }

  reindex(resource?: string): Promise<number> {
    const chosen = this.#resources.filter(
      ({ name }) => resource === undefined || name === resource,
    );
    if (chosen.length === 0) throw new StoreError(`there is no resource ${resource}`);
    return this.#database.own(async (connection) => {
      let rows = 0;
      for (const each of chosen) {
        // oxlint-disable-next-line no-await-in-loop -- one connection
        rows += await fillRows(connection, each);
      }
      return rows;
    });
  }

  async ping(): Promise<void> {
    await this.#database.read([], (connection) => connection.all("select 1", []));
  }

  version(): number | null {
    return this.#database.version();
  }

  close(): Promise<void> {
    this.#closed ??= this.#database.close();
    return this.#closed;
  }

  /** Takes the tenant's next write number; its row stays locked until the transaction ends. */
  async #begin(
    connection: Connection,
    cid: string,
  ): Promise<Omit<Writing, "isNewTenant" | "filled">> {
    const { statements } = this.#shared;
    const tenant = new Parameter(cid);
    const [row] = await statements.run(connection, nextNumber, null, { cid: tenant });
    if (row === undefined) throw new StoreError(`there is no tenant ${cid}`);
    const { number } = row;
    const at = instantText(this.#clock.now());
    await statements.run(connection, noteTime, null, {
      cid: tenant,
      number: new Parameter(number),
      at: new Parameter(at),
    });
    return { cid, number, at, connection };
  }

  /** What can be known before the query is not found out for each query. */
  #sourcesFor(resource: Resource, scope: ReadScope): Access["sources"] {
    if (!needsAncestors(resource, scope)) {
      const sources = sourcesOf(resource, scope, []);
      return (fields) => withFields(resource, scope, sources, fields);
    }
    return (fields) => {
      const { cid } = scope;
      const withAncestors = (ancestors: readonly Tenant[]) =>
        withFields(resource, scope, sourcesOf(resource, scope, ancestors), fields);
      const known = this.#lineages.peek(cid);
      return known === undefined ? this.#lineageOf(cid).then(withAncestors) : withAncestors(known);
    };
  }

  /** Of a tenant that is yet to be made, nothing is remembered. */
  async #lineageOf(cid: string): Promise<readonly Tenant[]> {
    if ((await this.directory.tenant(cid)) === null) return [];
    const lineage = await this.directory.ancestors(cid);
    this.#lineages.set(cid, lineage);
    return lineage;
  }
}
