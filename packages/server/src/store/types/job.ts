import type { JsonObject } from "./json.ts";

/**
 * The state of a job. `failed`: it will run again at `run_at`. `dead`: it has failed for the last time, and
 * only a manual retry runs it again.
 */
export const jobStates = ["queued", "running", "succeeded", "failed", "dead"] as const;
export type JobState = (typeof jobStates)[number];

/** Work for any process, done after the transaction that enqueues it. */
export interface NewJob {
  /** Identifies the code that runs the job. */
  readonly kind: string;
  readonly payload?: JsonObject;
  /**
   * Jobs of a tenant with the same key run one after the other, in the order of `at` and then of enqueuing.
   */
  readonly key?: string;
  /** The earliest start. Default: at once. */
  readonly at?: Date;
}

/** A job as operators see it. Instants are RFC 3339 with milliseconds. */
export interface Job {
  readonly id: number;
  /** The tenant of the job; `platformCid` for none. */
  readonly cid: string;
  readonly kind: string;
  readonly state: JobState;
  readonly key: string | null;
  readonly payload: JsonObject;
  /** Number of starts. */
  readonly attempts: number;
  /** The instant that the job is for. */
  readonly due_at: string;
  /** The next start; for a running job, the end of its lease. Null: never. */
  readonly run_at: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** The process that runs the job or ran it last. */
  readonly worker: string | null;
  readonly progress: JsonObject | null;
  readonly result: JsonObject | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** The right to run a job. It ends at a fixed instant, or when another process takes the job. */
export interface Lease {
  readonly job: number;
  /** Different for each attempt, so that a process that has lost the lease cannot use it. */
  readonly token: string;
}

export interface ClaimedJob extends Job {
  readonly lease: Lease;
}

export interface Claim {
  /** The kinds of jobs that the claiming process can run. */
  readonly kinds: readonly string[];
  readonly limit: number;
  readonly worker: string;
  readonly now: Date;
  readonly leaseUntil: Date;
}

/** A kind of job that the platform enqueues by itself at an interval. */
export interface Schedule {
  /** The kind of the jobs. */
  readonly kind: string;
  readonly everyMilliseconds: number;
}

export interface JobQuery {
  readonly limit: number;
  readonly cid?: string | undefined;
  readonly state?: JobState | undefined;
  readonly kind?: string | undefined;
}

/** How many jobs of a kind are in a state of waiting or working, or have failed for the last time. */
export interface JobCount {
  readonly kind: string;
  /**
   * `ready`: may start, or its process has ended. `retrying`: has failed and starts again later. `scheduled`: starts later
   * for the first time.
   */
  readonly status: "ready" | "running" | "retrying" | "scheduled" | "dead";
  readonly count: number;
  /** The earliest instant that one of them is for. */
  readonly oldest: string;
}

export interface Failure {
  readonly error: string;
  /** The time of the next attempt. Null: the job is dead. */
  readonly retryAt: Date | null;
}

/** A transaction of a running job. */
export interface Step<Transaction, Result> {
  readonly cid: string;
  readonly work: (transaction: Transaction) => Promise<Result>;
  readonly progress?: JsonObject;
  /** See `WriteOptions`. */
  readonly large?: boolean | undefined;
}

/** How an attempt ends. */
export interface Ending<Transaction, Result> {
  readonly now: Date;
  /** The instant at which the ended job is deleted. */
  readonly keepUntil: Date;
  /** Tenant whose transaction ends the attempt. */
  readonly cid: string;
  /** Writes in that transaction. Default: writes nothing else. */
  readonly work?: ((transaction: Transaction) => Promise<Result>) | undefined;
}

/** The queue of one database, shared by all processes on it. `Transaction.enqueue` adds to it. */
export interface Jobs<Transaction> {
  /** Claims jobs that are due or whose lease has ended. No job is given to two processes. */
  claim(claim: Claim): Promise<readonly ClaimedJob[]>;
  /** Extends a lease and stores the progress, if given. Returns false if the lease is lost. */
  renew(lease: Lease, until: Date, progress?: JsonObject): Promise<boolean>;
  /** A transaction that commits only while the lease is held. Throws `LeaseLostError`. */
  write<Result>(lease: Lease, step: Step<Transaction, Result>): Promise<Result>;
  /**
   * Ends a job with success. What `work` writes commits in the same transaction; `work` returns the job's
   * result. Throws `LeaseLostError`.
   */
  succeed(lease: Lease, ending: Ending<Transaction, JsonObject | void>): Promise<void>;
  /** Ends a failed attempt. Throws `LeaseLostError`. */
  fail(lease: Lease, failure: Failure, ending: Ending<Transaction, void>): Promise<void>;
  /** Returns a job to the queue without counting the attempt. Returns false if the lease is lost. */
  release(lease: Lease, now: Date): Promise<boolean>;
  /** The next instant after `now` at which a job of these kinds can be claimed. Null if none is known. */
  nextInstant(kinds: readonly string[], now: Date): Promise<Date | null>;
  /** Stores schedules and their intervals. A new schedule is first due after one interval. */
  schedule(schedules: readonly Schedule[], now: Date): Promise<void>;
  /**
   * Enqueues a job for each of these schedules that is due, unless its last job is still open. Returns when
   * the next schedule is due.
   */
  fire(schedules: readonly Schedule[], now: Date): Promise<Date>;
  /** Newest first. */
  list(query: JobQuery): Promise<readonly Job[]>;
  get(id: number): Promise<Job | null>;
  /** Enqueues a failed or dead job again, with all its attempts. Returns false if there is no such job. */
  retry(id: number, now: Date): Promise<boolean>;
  /** Counts the jobs that are not done. `withDead` also counts dead ones, which looks at all jobs. */
  counts(now: Date, withDead: boolean): Promise<readonly JobCount[]>;
  /** Deletes jobs whose retention has ended. Returns their number. */
  purge(now: Date): Promise<number>;
  /**
   * Calls `listener` after each transaction of this process that enqueued a job. Returns a function that
   * removes the listener.
   */
  onEnqueue(listener: () => void): () => void;
}
