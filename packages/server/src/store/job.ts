import type { JsonObject } from "./json.ts";

/**
 * Where a job stands. `failed`: it runs again, at `run_at`. `dead`: it failed for the last time, and
 * only a retry by hand runs it again.
 */
export const jobStates = ["queued", "running", "succeeded", "failed", "dead"] as const;
export type JobState = (typeof jobStates)[number];

/** Work to do after the transaction that enqueues it, in whichever process. */
export interface NewJob {
  /** Names the code that runs it. */
  readonly kind: string;
  readonly payload?: JsonObject;
  /** Jobs of a tenant with the same key run one at a time, in the order of `at` and of enqueuing. */
  readonly key?: string;
  /** Not before this instant. Default: at once. */
  readonly at?: Date;
}

/** A job as those who run the platform see it. Instants are RFC 3339 with milliseconds. */
export interface Job {
  readonly id: number;
  /** Tenant that it belongs to; `platformCid`: none. */
  readonly cid: string;
  readonly kind: string;
  readonly state: JobState;
  readonly key: string | null;
  readonly payload: JsonObject;
  /** How often it was started. */
  readonly attempts: number;
  /** The instant that the job is for. */
  readonly due_at: string;
  /** When it will be started, or started again; of a running one, when its lease ends. Null: never. */
  readonly run_at: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** The process that runs it, or ran it last. */
  readonly worker: string | null;
  readonly progress: JsonObject | null;
  readonly result: JsonObject | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** The right to run a job, until it ends or is taken away. */
export interface Lease {
  readonly job: number;
  /** Another one for each attempt: who has lost the lease cannot act as if it held it. */
  readonly token: string;
}

export interface ClaimedJob extends Job {
  readonly lease: Lease;
}

export interface Claim {
  /** Kinds that the claimant can run. */
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

export interface Failure {
  readonly error: string;
  /** When to try again; null: never, the job is dead. */
  readonly retryAt: Date | null;
}

/** A transaction in the middle of a job. */
export interface Step<Transaction, Result> {
  readonly cid: string;
  readonly work: (transaction: Transaction) => Promise<Result>;
  readonly progress?: JsonObject;
}

/** How an attempt is ended. */
export interface Ending<Transaction, Result> {
  readonly now: Date;
  /** An ended job is deleted at this instant. */
  readonly keepUntil: Date;
  /** Tenant whose transaction ends the attempt. */
  readonly cid: string;
  /** Writes in that transaction. Absent: nothing else is written. */
  readonly work?: ((transaction: Transaction) => Promise<Result>) | undefined;
}

/** The queue of one database, shared by all processes on it. `Transaction.enqueue` adds to it. */
export interface Jobs<Transaction> {
  /** Takes jobs that are due, and those whose lease has ended. No job goes to two claimants. */
  claim(claim: Claim): Promise<readonly ClaimedJob[]>;
  /** Extends a lease, and stores the progress where there is any. False: the lease is lost. */
  renew(lease: Lease, until: Date, progress?: JsonObject): Promise<boolean>;
  /** A transaction that commits only while the lease is held. Throws `LeaseLostError`. */
  write<Result>(lease: Lease, step: Step<Transaction, Result>): Promise<Result>;
  /**
   * Ends a job with success, in one transaction with what `work` writes; `work` returns the job's
   * result. Throws `LeaseLostError`.
   */
  succeed(lease: Lease, ending: Ending<Transaction, JsonObject | void>): Promise<void>;
  /** Ends an attempt that failed. Throws `LeaseLostError`. */
  fail(lease: Lease, failure: Failure, ending: Ending<Transaction, void>): Promise<void>;
  /** Gives a job back as if this attempt had not been. False: the lease is lost. */
  release(lease: Lease, now: Date): Promise<boolean>;
  /** The next instant after `now` at which a job of these kinds can be claimed; null: none is known. */
  nextInstant(kinds: readonly string[], now: Date): Promise<Date | null>;
  /** Stores schedules and their intervals. A new schedule is due an interval from now. */
  schedule(schedules: readonly Schedule[], now: Date): Promise<void>;
  /**
   * Enqueues a job for each of these schedules that is due, unless its last job has not ended. Returns when
   * the next one is due.
   */
  fire(schedules: readonly Schedule[], now: Date): Promise<Date>;
  /** Newest first. */
  list(query: JobQuery): Promise<readonly Job[]>;
  get(id: number): Promise<Job | null>;
  /** Queues a failed or dead job again, with all its attempts. False: there is no such job. */
  retry(id: number, now: Date): Promise<boolean>;
  /** Deletes jobs whose time to be kept is over. Returns how many. */
  purge(now: Date): Promise<number>;
  /** Calls `listener` after each transaction of this process that enqueued a job. Returns a function that stops this. */
  onEnqueue(listener: () => void): () => void;
}
