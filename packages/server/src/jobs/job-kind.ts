import type { JsonObject, Transaction } from "../store/index.ts";

/** Code that runs jobs, and how. */
export interface JobKind<Payload extends JsonObject = JsonObject> {
  /** The `kind` to enqueue: a noun and a verb such as `tokens.purge`. */
  readonly name: string;
  /** Number of failed attempts after which a job is dead. Default 10, which takes a little over an hour. */
  readonly attempts?: number;
  /** Maximum number of attempts that one process runs at a time. Default: that of all kinds together. */
  readonly atOnce?: number;
  /** Interval at which the platform enqueues a job, unless the last one is still open. */
  readonly everyMilliseconds?: number;
  /**
   * Runs one attempt. An attempt may be interrupted at any point and run again. Therefore put effects on the
   * database into `commit`, where they happen exactly once. Any other effect happens at least once: give it a
   * key that is the same in all attempts.
   */
  run(job: RunningJob<Payload>): Promise<Completion | void>;
  /** Writes in the transaction that marks the job as dead. */
  gaveUp?(job: EndedJob<Payload>, transaction: Transaction): Promise<void>;
}

export interface RunningJob<Payload extends JsonObject = JsonObject> {
  readonly id: number;
  readonly cid: string;
  readonly payload: Payload;
  /** The first attempt is 1. */
  readonly attempt: number;
  /** When the attempt started. */
  readonly now: Date;
  /** The instant that the job is for; `now` may be later. */
  readonly dueAt: Date;
  /** Aborted when the process stops or has lost the job. Work after that has no effect. */
  readonly signal: AbortSignal;
  /** The last progress of an earlier attempt, where a long job continues. */
  readonly progress: JsonObject | null;
  /** Stores the job's progress. Throws `LeaseLostError`. */
  report(progress: JsonObject): Promise<void>;
  /**
   * One step of a long job: a transaction that commits only while this process holds the job. Throws
   * `LeaseLostError`.
   */
  write<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: StepOptions,
  ): Promise<Result>;
}

export interface StepOptions {
  /** Default: the job's tenant. */
  readonly cid?: string;
  /** Stored in the same transaction, so that no step is repeated. */
  readonly progress?: JsonObject;
  /** See `WriteOptions`. */
  readonly large?: boolean;
}

export interface EndedJob<Payload extends JsonObject = JsonObject> {
  readonly id: number;
  readonly cid: string;
  readonly payload: Payload;
  readonly now: Date;
  readonly error: string;
}

/** The final part of a job, after its work is done. */
export interface Completion {
  /**
   * Writes in the transaction that ends the job. This transaction belongs to the job's tenant. Both commit,
   * or neither. Returns the job's result.
   */
  commit(transaction: Transaction): Promise<JsonObject | void>;
}

/** An error that further attempts cannot fix. The job is dead at once. */
export class PermanentJobError extends Error {
  override readonly name = "PermanentJobError";
}
