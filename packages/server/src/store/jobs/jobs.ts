import type { Connection, Database } from "../dialects/dialect.ts";
import { LeaseLostError } from "../types/errors.ts";
import {
  anyDue,
  claimDue,
  holdLease,
  markFailed,
  markReleased,
  markSucceeded,
  nextRunAt,
  purgeEnded,
  renewLease,
  type JobRow,
} from "./job-statements.ts";
import type {
  Claim,
  ClaimedJob,
  Ending,
  Failure,
  Job,
  JobQuery,
  Jobs,
  Lease,
  Schedule,
  Step,
} from "../types/job.ts";
import type { JsonObject } from "../types/json.ts";
import { Parameter } from "../statements/plan-key.ts";
import { fireSchedules, storeSchedules } from "./schedules.ts";
import { rowsOf, type Statements } from "../statements/statements.ts";
import type { Transaction, WriteOptions } from "../types/types.ts";

/** Runs `work` in a transaction of a tenant, and passes it the connection as well. */
type Transact = <Result>(
  cid: string,
  work: (transaction: Transaction, connection: Connection) => Promise<Result>,
  options?: WriteOptions,
) => Promise<Result>;

/** Processes that claim jobs with the same key rarely collide. The later one tries again. */
const claimAttempts = 5;
const purgeBatch = 1_000;

/** The queue in the tables `jobs` and `schedules`. */
export class StoredJobs implements Jobs<Transaction> {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #transact: Transact;
  readonly #listeners = new Set<() => void>();

  constructor(database: Database, statements: Statements, transact: Transact) {
    this.#database = database;
    this.#statements = statements;
    this.#transact = transact;
  }

  async claim(claim: Claim): Promise<readonly ClaimedJob[]> {
    if (claim.limit < 1 || !(await this.#isAnythingDue(claim))) return [];
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#claim(claim);
      } catch (error) {
        if (!this.#database.dialect.isUniqueViolation(error) || attempt === claimAttempts)
          throw error;
      }
    }
  }

  /** Takes no lock, because usually nothing is due. */
  async #isAnythingDue({ kinds, now }: Claim): Promise<boolean> {
    const plan = { kinds: new Parameter(kinds), now: new Parameter(now.toISOString()) };
    const rows = await this.#database.read([], (connection) =>
      this.#statements.run(connection, anyDue, null, plan),
    );
    return rows.length > 0;
  }

  async #claim(claim: Claim): Promise<readonly ClaimedJob[]> {
    const { kinds, limit, worker, now, leaseUntil } = claim;
    const token = crypto.randomUUID();
    const plan = {
      kinds: new Parameter(kinds),
      now: new Parameter(now.toISOString()),
      limit: new Parameter(limit),
      worker: new Parameter(worker),
      token: new Parameter(token),
      leaseUntil: new Parameter(leaseUntil.toISOString()),
    };
    const rows = await this.#database.write(null, (connection) =>
      this.#statements.run(connection, claimDue, null, plan),
    );
    return rows
      .map((row) => ({ ...jobOf(row), lease: { job: row.id, token } }))
      .toSorted(byInstant);
  }

  async renew(lease: Lease, until: Date, progress?: JsonObject): Promise<boolean> {
    const plan = {
      ...leasePlan(lease),
      until: new Parameter(until.toISOString()),
      progress: new Parameter(textOf(progress)),
    };
    const rows = await this.#database.write(null, (connection) =>
      this.#statements.run(connection, renewLease, null, plan),
    );
    return rows.length > 0;
  }

  write<Result>(
    lease: Lease,
    { cid, work, progress, large }: Step<Transaction, Result>,
  ): Promise<Result> {
    const step = async (transaction: Transaction, connection: Connection): Promise<Result> => {
      const result = await work(transaction);
      const plan = { ...leasePlan(lease), progress: new Parameter(textOf(progress)) };
      refuseLost(lease, await this.#statements.run(connection, holdLease, null, plan));
      return result;
    };
    return this.#transact(cid, step, { large });
  }

  succeed(lease: Lease, ending: Ending<Transaction, JsonObject | void>): Promise<void> {
    const { now, keepUntil } = ending;
    return this.#end(ending, async (connection, result) => {
      const plan = {
        ...leasePlan(lease),
        now: new Parameter(now.toISOString()),
        purgeAt: new Parameter(keepUntil.toISOString()),
        result: new Parameter(textOf(result)),
      };
      refuseLost(lease, await this.#statements.run(connection, markSucceeded, null, plan));
    });
  }

  fail(
    lease: Lease,
    { error, retryAt }: Failure,
    ending: Ending<Transaction, void>,
  ): Promise<void> {
    const { now, keepUntil } = ending;
    const isDead = retryAt === null;
    return this.#end(ending, async (connection) => {
      const plan = {
        ...leasePlan(lease),
        state: new Parameter(isDead ? "dead" : "failed"),
        error: new Parameter(error),
        runAt: new Parameter(retryAt?.toISOString() ?? null),
        finishedAt: new Parameter(isDead ? now.toISOString() : null),
        purgeAt: new Parameter(isDead ? keepUntil.toISOString() : null),
      };
      refuseLost(lease, await this.#statements.run(connection, markFailed, null, plan));
    });
  }

  /** Checks the lease last, so that the job's row is locked for the shortest time. */
  #end<Result>(
    { cid, work }: Ending<Transaction, Result>,
    finish: (connection: Connection, result: Result | undefined) => Promise<void>,
  ): Promise<void> {
    if (work === undefined) {
      return this.#database.write(null, (connection) => finish(connection, undefined));
    }
    return this.#transact(cid, async (transaction, connection) =>
      finish(connection, await work(transaction)),
    );
  }

  async release(lease: Lease, now: Date): Promise<boolean> {
    const plan = { ...leasePlan(lease), now: new Parameter(now.toISOString()) };
    const rows = await this.#database.write(null, (connection) =>
      this.#statements.run(connection, markReleased, null, plan),
    );
    return rows.length > 0;
  }

  async nextInstant(kinds: readonly string[], now: Date): Promise<Date | null> {
    const plan = { kinds: new Parameter(kinds), now: new Parameter(now.toISOString()) };
    const [row] = await this.#database.read([], (connection) =>
      this.#statements.run(connection, nextRunAt, null, plan),
    );
    return row === undefined ? null : new Date(row.at);
  }

  schedule(schedules: readonly Schedule[], now: Date): Promise<void> {
    return storeSchedules(this.#database, schedules, now);
  }

  fire(schedules: readonly Schedule[], now: Date): Promise<Date> {
    return fireSchedules(this.#database, this.#statements, schedules, now);
  }

  async list({ limit, cid, state, kind }: JobQuery): Promise<readonly Job[]> {
    const { builder } = this.#database.dialect;
    let query = builder.selectFrom("jobs").selectAll().orderBy("id", "desc").limit(limit);
    if (cid !== undefined) query = query.where("cid", "=", cid);
    if (state !== undefined) query = query.where("state", "=", state);
    if (kind !== undefined) query = query.where("kind", "=", kind);
    const rows = await this.#database.read([], (connection) => rowsOf(connection, query));
    return rows.map(jobOf);
  }

  async get(id: number): Promise<Job | null> {
    const { builder } = this.#database.dialect;
    const query = builder.selectFrom("jobs").selectAll().where("id", "=", id);
    const [row] = await this.#database.read([], (connection) => rowsOf(connection, query));
    return row === undefined ? null : jobOf(row);
  }

  async retry(id: number, now: Date): Promise<boolean> {
    const { builder } = this.#database.dialect;
    const query = builder
      .updateTable("jobs")
      .set({
        state: "queued",
        attempts: 0,
        run_at: now.toISOString(),
        finished_at: null,
        purge_at: null,
      })
      .where("id", "=", id)
      .where("state", "in", ["failed", "dead"])
      .returning("id");
    const rows = await this.#database.write(null, (connection) => rowsOf(connection, query));
    this.noteEnqueued();
    return rows.length > 0;
  }

  async purge(now: Date): Promise<number> {
    const plan = { now: new Parameter(now.toISOString()), limit: new Parameter(purgeBatch) };
    for (let purged = 0; ;) {
      const rows = await this.#database.write(null, (connection) =>
        this.#statements.run(connection, purgeEnded, null, plan),
      );
      purged += rows.length;
      if (rows.length < purgeBatch) return purged;
    }
  }

  onEnqueue(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Call this after a transaction of this process that enqueued a job has committed. */
  noteEnqueued(): void {
    for (const listener of this.#listeners) listener();
  }
}

const leasePlan = ({ job, token }: Lease) => ({
  job: new Parameter(job),
  token: new Parameter(token),
});

function refuseLost({ job }: Lease, rows: readonly unknown[]): void {
  if (rows.length > 0) return;
  throw new LeaseLostError(`job ${job}: another process may run it by now; nothing was written`);
}

const byInstant = (left: Job, right: Job): number =>
  left.due_at === right.due_at ? left.id - right.id : left.due_at < right.due_at ? -1 : 1;

const textOf = (value: JsonObject | void): string | null =>
  value === undefined ? null : JSON.stringify(value);

const read = (text: string | null): JsonObject | null =>
  text === null ? null : (JSON.parse(text) as JsonObject);

function jobOf(row: JobRow): Job {
  const { id, cid, kind, state, key, payload, attempts, due_at, run_at } = row;
  const { created_at, started_at, finished_at, worker, progress, result, error } = row;
  return {
    id,
    cid,
    kind,
    state,
    key,
    payload: JSON.parse(payload) as JsonObject,
    attempts,
    due_at,
    run_at,
    created_at,
    started_at,
    finished_at,
    worker,
    progress: read(progress),
    result: read(result),
    error,
  };
}
