import type { Logger } from "pino";
import type { Clock } from "../foundation/clock.ts";
import type { JobMeter, JobOutcome } from "../foundation/meters.ts";
import { LeaseLostError, type ClaimedJob, type Store, type Transaction } from "../store/index.ts";
import { pauseAfter } from "./backoff.ts";
import { PermanentJobError, type JobKind, type RunningJob } from "./job-kind.ts";

interface AttemptParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly leaseMilliseconds: number;
  readonly meter: JobMeter | undefined;
}

const defaultAttempts = 10;
const day = 24 * 60 * 60_000;
/** Retention of jobs that succeeded, that succeeded on schedule, and that are dead. */
const keptMilliseconds = { succeeded: 7 * day, scheduled: day, dead: 30 * day };
const longestError = 2_000;

/** One run of a claimed job, from its start until its result is in the queue. */
export class Attempt {
  /** Name of the kind of the job. */
  readonly kind: string;
  /** Resolves at the end of the attempt. Never rejects. */
  readonly done: Promise<void>;
  readonly #parts: AttemptParts;
  readonly #kind: JobKind;
  readonly #job: ClaimedJob;
  readonly #lost = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(parts: AttemptParts, kind: JobKind, job: ClaimedJob) {
    this.#parts = parts;
    this.kind = kind.name;
    this.#kind = kind;
    this.#job = job;
    this.#heartbeat = setInterval(() => void this.#renew(), parts.leaseMilliseconds / 3);
    this.#heartbeat.unref();
    this.done = this.#runAndCount().finally(() => clearInterval(this.#heartbeat));
  }

  /** Releases the job, so that another process can run it at once. Never rejects. */
  async giveBack(): Promise<void> {
    const { store, clock, logger } = this.#parts;
    clearInterval(this.#heartbeat);
    try {
      await store.jobs.release(this.#job.lease, clock.now());
    } catch (error) {
      logger.warn(
        { err: error, ...this.#shown },
        "a job cannot be given back before its lease ends",
      );
    }
    this.#lost.abort(new LeaseLostError("the process stops"));
  }

  async #runAndCount(): Promise<void> {
    const started = performance.now();
    const outcome = await this.#run();
    this.#parts.meter?.observe(outcome, performance.now() - started);
  }

  /** Never rejects. */
  async #run(): Promise<JobOutcome> {
    const { store, clock, logger } = this.#parts;
    const { lease, cid, attempts } = this.#job;
    try {
      if (attempts > this.#attemptsAllowed) {
        throw new PermanentJobError(`its process ended in the middle of ${attempts - 1} attempts`);
      }
      const completion = await this.#kind.run(this.#running());
      const now = clock.now();
      const { everyMilliseconds } = this.#kind;
      const retention =
        keptMilliseconds[everyMilliseconds === undefined ? "succeeded" : "scheduled"];
      const work = completion
        ? (inTransaction: Transaction) => completion.commit(inTransaction)
        : undefined;
      await store.jobs.succeed(lease, { now, keepUntil: after(now, retention), cid, work });
      return "succeeded";
    } catch (error) {
      return await this.#fail(error).catch((failure: unknown) => {
        if (!(failure instanceof LeaseLostError)) {
          logger.error({ err: failure, ...this.#shown }, "the outcome of a job cannot be stored");
        }
        return "lost" as const;
      });
    }
  }

  #running(): RunningJob {
    const { store, clock } = this.#parts;
    const { id, cid, payload, attempts, due_at, lease, progress: stored } = this.#job;
    return {
      id,
      cid,
      payload,
      attempt: attempts,
      now: clock.now(),
      dueAt: new Date(due_at),
      signal: this.#lost.signal,
      progress: stored,
      report: async (progress) => {
        if (!(await store.jobs.renew(lease, this.#leaseUntil(), progress))) throw this.#lose();
      },
      write: (work, options = {}) => store.jobs.write(lease, { cid, ...options, work }),
    };
  }

  async #fail(error: unknown): Promise<JobOutcome> {
    const { store, clock, logger, random } = this.#parts;
    const { lease, id, cid, payload, attempts } = this.#job;
    if (error instanceof LeaseLostError || this.#lost.signal.aborted) {
      logger.warn({ err: error, ...this.#shown }, "a job was taken away; its effects were undone");
      return "lost";
    }
    const now = clock.now();
    const message = messageOf(error);
    const keepUntil = after(now, keptMilliseconds.dead);
    if (!(error instanceof PermanentJobError) && attempts < this.#attemptsAllowed) {
      const retryAt = after(now, pauseAfter(attempts, random()));
      // Nobody needs a line for each attempt at a host that does not exist.
      const isKnown = attempts > 1 && message === this.#job.error;
      logger[isKnown ? "debug" : "warn"](
        { err: error, ...this.#shown, retry_at: retryAt },
        isKnown ? "a job failed again for the same reason" : "a job failed; it will be retried",
      );
      await store.jobs.fail(lease, { error: message, retryAt }, { now, keepUntil, cid });
      return "failed";
    }
    logger.error({ err: error, ...this.#shown }, "a job failed for the last time");
    const ended = { id, cid, payload, now, error: message };
    const kind = this.#kind;
    const work =
      kind.gaveUp && (async (transaction: Transaction) => kind.gaveUp?.(ended, transaction));
    await store.jobs.fail(lease, { error: message, retryAt: null }, { now, keepUntil, cid, work });
    return "dead";
  }

  async #renew(): Promise<void> {
    const { store, logger } = this.#parts;
    try {
      if (!(await store.jobs.renew(this.#job.lease, this.#leaseUntil()))) this.#lose();
    } catch (error) {
      logger.warn({ err: error, ...this.#shown }, "a lease cannot be renewed");
    }
  }

  #lose(): LeaseLostError {
    const error = new LeaseLostError(`job ${this.#job.id}: another process may run it by now`);
    this.#lost.abort(error);
    return error;
  }

  #leaseUntil(): Date {
    const { clock, leaseMilliseconds } = this.#parts;
    return after(clock.now(), leaseMilliseconds);
  }

  get #attemptsAllowed(): number {
    return this.#kind.attempts ?? defaultAttempts;
  }

  get #shown(): object {
    const { id, kind, cid, attempts } = this.#job;
    return { job: id, kind, cid, attempt: attempts };
  }
}

const after = (instant: Date, milliseconds: number): Date =>
  new Date(instant.getTime() + milliseconds);

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.length > longestError ? `${text.slice(0, longestError)} …` : text;
}
