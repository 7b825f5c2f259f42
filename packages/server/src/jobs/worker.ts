import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "../foundation/clock.ts";
import type { Meters } from "../foundation/meters.ts";
import type { ClaimedJob, Schedule, Store } from "../store/index.ts";
import { Attempt } from "./attempt.ts";
import type { JobKind } from "./job-kind.ts";

export interface WorkerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The kinds of jobs that this process can run. Other kinds are left to other processes. */
  readonly kinds: readonly JobKind[];
  /** Counts attempts. Default: nothing does. */
  readonly meters?: Meters | undefined;
  /** A number from 0 to 1, for the pauses between attempts. Default: `Math.random`. */
  readonly random?: () => number;
  /** Maximum number of concurrent jobs. Default 4. */
  readonly concurrency?: number;
  /** Time after which a job without a heartbeat is free for other processes. Default: a minute. */
  readonly leaseMilliseconds?: number;
  /** Interval at which to look for jobs of other processes. Default: 5 seconds. */
  readonly pollMilliseconds?: number;
}

/**
 * Runs jobs in this process. Several processes may run jobs on one database. Each job is run by one of them,
 * and by another one if that process fails.
 */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #schedules: readonly Schedule[];
  readonly #concurrency: number;
  readonly #leaseMilliseconds: number;
  readonly #pollMilliseconds: number;
  readonly #name = `${hostname()}/${process.pid}`;
  readonly #running = new Set<Attempt>();
  #loop: Promise<void> | null = null;
  #stopping = false;
  #paused = 0;
  /** The claims in progress. */
  #claiming: Promise<void> = Promise.resolve();
  #isWoken = false;
  #wake: (() => void) | null = null;
  /** When to look for due schedules. Null: at once. */
  #schedulesAt: Date | null = null;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#kinds = new Map(parts.kinds.map((kind) => [kind.name, kind]));
    if (this.#kinds.size < parts.kinds.length) throw new TypeError("two kinds have one name");
    this.#schedules = parts.kinds.flatMap(({ name: kind, everyMilliseconds }) =>
      everyMilliseconds === undefined ? [] : [{ kind, everyMilliseconds }],
    );
    this.#concurrency = parts.concurrency ?? 4;
    this.#leaseMilliseconds = parts.leaseMilliseconds ?? 60_000;
    this.#pollMilliseconds = parts.pollMilliseconds ?? 5_000;
  }

  /** Runs due jobs until `stop`, after which it can start again. */
  start(): void {
    this.#stopping = false;
    this.#loop ??= this.#work();
  }

  /**
   * Runs due jobs one after the other, in the order of their instants, until nothing is due. Returns the
   * number of attempts. For tests; replaces `start`.
   */
  async drain(): Promise<number> {
    for (let attempts = 0; ; attempts += 1) {
      const [job] = await this.#claim(1);
      if (job === undefined) return attempts;
      await this.#begin(job).done;
    }
  }

  /** Runs all due jobs, and waits for those that run already. Returns the number of attempts that it began. */
  async settle(): Promise<number> {
    for (let attempts = 0; ;) {
      const began = await this.drain();
      attempts += began;
      if (began === 0 && this.#running.size === 0) return attempts;
      await this.#ended();
    }
  }

  /** Whether this process can run jobs of the kind. */
  runs(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  /** The next instant at which a stored job is due. Null: none. */
  nextInstant(): Promise<Date | null> {
    const { store, clock } = this.#parts;
    return store.jobs.nextInstant([...this.#kinds.keys()], clock.now());
  }

  /** Waits for the running jobs, and begins no others during `work`. Then reads the schedules again. */
  async pauseFor<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#paused += 1;
    try {
      await this.#claiming;
      while (this.#running.size > 0) await this.#ended();
      return await work();
    } finally {
      this.#paused -= 1;
      this.#schedulesAt = null;
      this.#notify();
    }
  }

  async #ended(): Promise<void> {
    await Promise.all([...this.#running].map(({ done }) => done));
  }

  /**
   * Claims no more jobs and waits for the running ones. After `limitMilliseconds`, gives the unfinished ones
   * to other processes; their further work here has no effect.
   */
  async stop(limitMilliseconds = 10_000): Promise<void> {
    this.#stopping = true;
    this.#notify();
    await this.#loop;
    this.#loop = null;
    if (this.#running.size > 0 && limitMilliseconds > 0) {
      const limit = new AbortController();
      await Promise.race([
        Promise.all([...this.#running].map(({ done }) => done)),
        pause(limitMilliseconds, undefined, { signal: limit.signal }).catch(() => undefined),
      ]);
      limit.abort();
    }
    await Promise.all([...this.#running].map((attempt) => attempt.giveBack()));
  }

  async #work(): Promise<void> {
    const { store } = this.#parts;
    const stopListening = store.jobs.onEnqueue(() => this.#notify());
    while (!this.#stopping) {
      this.#isWoken = false;
      const idle = await this.#takeUp();
      if (idle > 0 && !this.#isWoken && !this.#stopping) await this.#sleep(idle);
    }
    stopListening();
  }

  /** Starts the due jobs. Returns the number of milliseconds until more jobs may be due. */
  async #takeUp(): Promise<number> {
    const { store, clock, logger } = this.#parts;
    try {
      const jobs = await this.#claim(this.#concurrency - this.#running.size);
      for (const job of jobs) this.#begin(job);
      if (jobs.length > 0) return 0;
      const now = clock.now();
      const instants = [
        await store.jobs.nextInstant(
          this.#shares().flatMap(({ kinds }) => kinds),
          now,
        ),
        this.#schedulesAt,
      ].flatMap((instant) => (instant === null ? [] : [instant.getTime() - now.getTime()]));
      return Math.max(1, Math.min(this.#pollMilliseconds, ...instants));
    } catch (error) {
      logger.error({ err: error }, "no jobs can be claimed");
      return this.#pollMilliseconds;
    }
  }

  #claim(limit: number): Promise<readonly ClaimedJob[]> {
    if (limit < 1 || this.#paused > 0) return Promise.resolve([]);
    const claimed = this.#claimNow(limit);
    this.#claiming = Promise.allSettled([this.#claiming, claimed]).then(() => undefined);
    return claimed;
  }

  async #claimNow(limit: number): Promise<readonly ClaimedJob[]> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    await this.#fireSchedules(now);
    const leaseUntil = new Date(now.getTime() + this.#leaseMilliseconds);
    const claimed: ClaimedJob[] = [];
    for (const { kinds, most } of this.#shares()) {
      const free = Math.min(most, limit - claimed.length);
      if (free < 1) break;
      const claim = { kinds, limit: free, worker: this.#name, now, leaseUntil };
      claimed.push(...(await store.jobs.claim(claim)));
    }
    return claimed;
  }

  /** The kinds of which more jobs may run now, and how many: first those without a limit of their own. */
  #shares(): readonly { readonly kinds: readonly string[]; readonly most: number }[] {
    const all = [...this.#kinds.values()];
    const running = [...this.#running].map(({ kind }) => kind);
    const unlimited = all.flatMap(({ name, atOnce }) => (atOnce === undefined ? [name] : []));
    const limited = all.flatMap(({ name, atOnce }) => {
      if (atOnce === undefined) return [];
      const most = atOnce - running.filter((each) => each === name).length;
      return most < 1 ? [] : [{ kinds: [name], most }];
    });
    return [...(unlimited.length === 0 ? [] : [{ kinds: unlimited, most: Infinity }]), ...limited];
  }

  async #fireSchedules(now: Date): Promise<void> {
    const { jobs } = this.#parts.store;
    if (this.#schedules.length === 0) return;
    if (this.#schedulesAt === null) await jobs.schedule(this.#schedules, now);
    else if (now < this.#schedulesAt) return;
    this.#schedulesAt = await jobs.fire(this.#schedules, now);
  }

  #begin(job: ClaimedJob): Attempt {
    const { store, clock, logger, meters, random = Math.random } = this.#parts;
    const leaseMilliseconds = this.#leaseMilliseconds;
    // The kind is known, because only known kinds are claimed.
    const kind = this.#kinds.get(job.kind) as JobKind;
    const parts = {
      store,
      clock,
      logger,
      random,
      leaseMilliseconds,
      meter: meters?.job(kind.name),
    };
    const attempt = new Attempt(parts, kind, job);
    this.#running.add(attempt);
    void this.#forgetWhenDone(attempt);
    return attempt;
  }

  async #forgetWhenDone(attempt: Attempt): Promise<void> {
    await attempt.done;
    this.#running.delete(attempt);
    this.#notify();
  }

  #notify(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Waits. Ends early when a job is enqueued, or when a job ends in this process. */
  async #sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}
