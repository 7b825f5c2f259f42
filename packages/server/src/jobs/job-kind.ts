import type { JsonObject, Transaction } from "../store/types.ts";

/** Code that runs jobs, and how. */
export interface JobKind<Payload extends JsonObject = JsonObject> {
  /** The `kind` to enqueue: a noun and a verb such as `tokens.purge`. */
  readonly name: string;
  /** A job that failed this often is dead. Default 10, which takes a little over an hour. */
  readonly attempts?: number;
  /** The platform enqueues a job at this interval, unless the last one has not ended. */
  readonly everyMilliseconds?: number;
  /**
   * One attempt. It may be cut off at any point and run again, so effects on the database belong into
   * `commit`, where they happen exactly once. Any other effect happens at least once: give it a key that
   * does not change from one attempt to the next.
   */
  run(job: RunningJob<Payload>): Promise<Completion | void>;
  /** Writes in the transaction that declares the job dead. */
  gaveUp?(job: EndedJob<Payload>, transaction: Transaction): Promise<void>;
}

export interface RunningJob<Payload extends JsonObject = JsonObject> {
  readonly id: number;
  readonly cid: string;
  readonly payload: Payload;
  /** The first is 1. */
  readonly attempt: number;
  /** When the attempt started. */
  readonly now: Date;
  /** The instant that the job is for; `now` may be later. */
  readonly dueAt: Date;
  /** Aborted when the process stops or has lost the job; what is done from then on counts for nothing. */
  readonly signal: AbortSignal;
  /** What an earlier attempt reported last: a long job goes on from there. */
  readonly progress: JsonObject | null;
  /** Stores how far the job is. Throws `LeaseLostError`. */
  report(progress: JsonObject): Promise<void>;
  /**
   * One step of a long job: a transaction that commits only while the job is this process's. Throws
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
  /** Stored in the same transaction, so that no step is done twice. */
  readonly progress?: JsonObject;
}

export interface EndedJob<Payload extends JsonObject = JsonObject> {
  readonly id: number;
  readonly cid: string;
  readonly payload: Payload;
  readonly now: Date;
  readonly error: string;
}

/** What is left to do when the work of a job is done. */
export interface Completion {
  /**
   * Writes in the transaction, of the job's tenant, that ends the job: both happen or none. Returns the
   * job's result.
   */
  commit(transaction: Transaction): Promise<JsonObject | void>;
}

/** A job that no further attempt can help: it is dead at once. */
export class PermanentJobError extends Error {
  override readonly name = "PermanentJobError";
}
