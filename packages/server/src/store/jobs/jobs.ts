import type { Connection, Database } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { deleteExpired } from "../statements/delete-expired.ts";
import { originalText, storedText } from "../rows/stored-values.ts";
import { LeaseLostError } from "../types/errors.ts";
import type {
  Claim,
  ClaimedJob,
  Ending,
  Failure,
  Job,
  JobCount,
  JobQuery,
  Jobs,
  Lease,
  Schedule,
  Step,
} from "../types/job.ts";
import type { JsonObject } from "../types/json.ts";
import { fireSchedules, storeSchedules } from "./schedules.ts";
import { platformCid, type Transaction, type WriteOptions } from "../types/types.ts";

/** Runs `work` in a transaction of a tenant, and passes it the connection as well. */
type Transact = <Result>(
  cid: string,
  work: (transaction: Transaction, connection: Connection) => Promise<Result>,
  options?: WriteOptions,
) => Promise<Result>;

/** A row of the table `jobs`. */
interface JobRow extends Omit<Job, "payload" | "progress" | "result"> {
  readonly payload: string;
  readonly progress: string | null;
  readonly result: string | null;
  /** These three are only for statements. */
  readonly due: string | null;
  readonly lease: string | null;
  readonly purge_at: string | null;
}

/** By name: a later version of the server may add columns. */
const jobColumns = sql`id, cid, kind, state, key, due, payload, attempts, due_at, run_at, lease, worker,
  created_at, started_at, finished_at, purge_at, progress, result, error`;

/** Processes that claim jobs with the same key rarely collide. The later one tries again. */
const claimAttempts = 5;

/** The queue in the tables `jobs` and `schedules`. */
export class StoredJobs implements Jobs<Transaction> {
  readonly #database: Database;
  readonly #transact: Transact;
  readonly #listeners = new Set<() => void>();

  constructor(database: Database, transact: Transact) {
    this.#database = database;
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
    const instant = now.toISOString();
    const rows = await this.#read(sql`select 1 from jobs
      where due_at <= ${instant} and run_at <= ${instant} and ${this.#isOfKinds(kinds)} limit 1`);
    return rows.length > 0;
  }

  /**
   * A job waits for earlier jobs with the same key, and for a running one. A running job whose lease has ended
   * does not wait, because it has already started.
   */
  async #claim({ kinds, limit, worker, now, leaseUntil }: Claim): Promise<readonly ClaimedJob[]> {
    const token = crypto.randomUUID();
    const instant = now.toISOString();
    const rows = await this.#change(sql<JobRow>`
      with picked as materialized (
        select job.id from jobs as job
        where job.due_at <= ${instant} and job.run_at <= ${instant} and ${this.#isOfKinds(kinds)}
          and (job.key is null or job.state = 'running' or not exists (
            select 1 from jobs as other
            where other.cid = job.cid and other.key = job.key and other.id <> job.id
              and other.run_at is not null
              and (other.state = 'running' or other.due_at < job.due_at
                or (other.due_at = job.due_at and other.id < job.id))))
        order by job.due_at, job.id limit ${limit} ${this.#database.dialect.skipLocked}
      )
      update jobs set state = 'running', attempts = attempts + 1, worker = ${worker},
        lease = ${token}, started_at = ${instant}, run_at = ${leaseUntil.toISOString()}
      where id in (select id from picked)
      returning ${jobColumns}`);
    return rows
      .map((row) => ({ ...jobOf(row), lease: { job: row.id, token } }))
      .toSorted(byInstant);
  }

  async renew(lease: Lease, until: Date, progress?: JsonObject): Promise<boolean> {
    const rows = await this.#change(sql`update jobs set run_at = ${until.toISOString()},
      progress = coalesce(${textOf(progress)}, progress) where ${isHeld(lease)} returning id`);
    return rows.length > 0;
  }

  write<Result>(
    lease: Lease,
    { cid, work, progress, large }: Step<Transaction, Result>,
  ): Promise<Result> {
    const step = async (transaction: Transaction, connection: Connection): Promise<Result> => {
      const result = await work(transaction);
      await changeLeasedJob(
        connection,
        lease,
        sql`progress = coalesce(${textOf(progress)}, progress)`,
      );
      return result;
    };
    return this.#transact(cid, step, { large });
  }

  succeed(lease: Lease, ending: Ending<Transaction, JsonObject | void>): Promise<void> {
    const { now, keepUntil } = ending;
    return this.#end(
      lease,
      ending,
      (result) => sql`
      state = 'succeeded', run_at = null, lease = null, error = null,
      finished_at = ${now.toISOString()}, purge_at = ${keepUntil.toISOString()},
      result = ${textOf(result)}`,
    );
  }

  fail(
    lease: Lease,
    { error, retryAt }: Failure,
    ending: Ending<Transaction, void>,
  ): Promise<void> {
    const { now, keepUntil } = ending;
    const isDead = retryAt === null;
    return this.#end(
      lease,
      ending,
      () => sql`
      state = ${isDead ? "dead" : "failed"}, run_at = ${retryAt?.toISOString() ?? null},
      lease = null, error = ${storedText(error)}, finished_at = ${isDead ? now.toISOString() : null},
      purge_at = ${isDead ? keepUntil.toISOString() : null}`,
    );
  }

  /** Checks the lease last, so that the job's row is locked for the shortest time. */
  #end<Result>(
    lease: Lease,
    { cid, work }: Ending<Transaction, Result>,
    changes: (result: Result | undefined) => Sql,
  ): Promise<void> {
    if (work === undefined) {
      return this.#database.write(null, (connection) =>
        changeLeasedJob(connection, lease, changes(undefined)),
      );
    }
    return this.#transact(cid, async (transaction, connection) =>
      changeLeasedJob(connection, lease, changes(await work(transaction))),
    );
  }

  async release(lease: Lease, now: Date): Promise<boolean> {
    const rows = await this.#change(sql`
      update jobs set state = case when attempts > 1 then 'failed' else 'queued' end,
        attempts = attempts - 1, run_at = ${now.toISOString()}, lease = null
      where ${isHeld(lease)} returning id`);
    return rows.length > 0;
  }

  async nextInstant(kinds: readonly string[], now: Date): Promise<Date | null> {
    const [row] = await this.#read(sql<{ at: string }>`select run_at as at from jobs
      where run_at > ${now.toISOString()} and ${this.#isOfKinds(kinds)} order by run_at limit 1`);
    return row === undefined ? null : new Date(row.at);
  }

  schedule(schedules: readonly Schedule[], now: Date): Promise<void> {
    return storeSchedules(this.#database, schedules, now);
  }

  fire(schedules: readonly Schedule[], now: Date): Promise<Date> {
    return fireSchedules(this.#database, schedules, now);
  }

  async list({ limit, cid, state, kind }: JobQuery): Promise<readonly Job[]> {
    const conditions = Object.entries({ cid, state, kind }).flatMap(([name, value]) =>
      value === undefined ? [] : [sql`and ${sql.id(name)} = ${value}`],
    );
    const rows = await this.#read(sql<JobRow>`select ${jobColumns} from jobs
      where true ${sql.join(conditions, " ")} order by id desc limit ${limit}`);
    return rows.map(jobOf);
  }

  async get(id: number): Promise<Job | null> {
    const [row] = await this.#read(sql<JobRow>`select ${jobColumns} from jobs where id = ${id}`);
    return row === undefined ? null : jobOf(row);
  }

  async retry(id: number, now: Date): Promise<boolean> {
    const rows = await this.#change(sql`
      update jobs set state = 'queued', attempts = 0, run_at = ${now.toISOString()},
        finished_at = null, purge_at = null
      where id = ${id} and state in ('failed', 'dead') returning id`);
    this.noteEnqueued();
    return rows.length > 0;
  }

  async counts(now: Date, withDead: boolean): Promise<readonly JobCount[]> {
    const instant = now.toISOString();
    const open = this.#read(sql<JobCount>`
      select kind, status, count(*) as count, min(due_at) as oldest from (
        select kind, due_at, case
          when run_at <= ${instant} and due_at <= ${instant} then 'ready'
          when state = 'running' then 'running'
          when state = 'failed' then 'retrying'
          else 'scheduled' end as status
        from jobs where run_at is not null) as open group by kind, status`);
    if (!withDead) return open;
    const dead = this.#database.read([], (connection) =>
      (connection.aside?.(platformCid) ?? connection).all(sql<JobCount>`
        select kind, 'dead' as status, count(*) as count, min(due_at) as oldest
        from jobs where state = 'dead' group by kind`),
    );
    return [...(await open), ...(await dead)];
  }

  purge(now: Date): Promise<number> {
    const ended = { table: "jobs", key: "id", until: "purge_at" };
    return deleteExpired(this.#database, ended, now.toISOString());
  }

  onEnqueue(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Call this after a transaction of this process that enqueued a job has committed. */
  noteEnqueued(): void {
    for (const listener of this.#listeners) listener();
  }

  #isOfKinds(kinds: readonly string[]): Sql {
    return this.#database.dialect.anyOf(sql`kind`, kinds, "text");
  }

  #read<Row>(query: Sql<Row>): Promise<readonly Row[]> {
    return this.#database.read([], (connection) => connection.all(query));
  }

  #change<Row>(query: Sql<Row>): Promise<readonly Row[]> {
    return this.#database.write(null, (connection) => connection.all(query));
  }
}

const isHeld = ({ job, token }: Lease): Sql =>
  sql`id = ${job} and lease = ${token} and state = 'running'`;

/** Locks the job until the transaction ends. Throws `LeaseLostError`. */
async function changeLeasedJob(connection: Connection, lease: Lease, changes: Sql): Promise<void> {
  const rows = await connection.all(
    sql`update jobs set ${changes} where ${isHeld(lease)} returning id`,
  );
  if (rows.length > 0) return;
  throw new LeaseLostError(
    `job ${lease.job}: another process may run it by now; nothing was written`,
  );
}

const byInstant = (left: Job, right: Job): number =>
  left.due_at === right.due_at ? left.id - right.id : left.due_at < right.due_at ? -1 : 1;

const textOf = (value: JsonObject | void): string | null =>
  value === undefined ? null : JSON.stringify(value);

const read = (text: string | null): JsonObject | null =>
  text === null ? null : (JSON.parse(text) as JsonObject);

function jobOf({ due: _due, lease: _lease, purge_at: _purgeAt, ...row }: JobRow): Job {
  return {
    ...row,
    payload: JSON.parse(row.payload) as JsonObject,
    progress: read(row.progress),
    result: read(row.result),
    error: row.error === null ? null : originalText(row.error),
  };
}
