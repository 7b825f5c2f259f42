/**
 * Counts durations in an array, which takes about 10 ns. The library that prints metrics looks up the labels of every
 * observation, which takes a hundred times as long.
 */
export class DurationMeter {
  /** Observations at most as long as the bound at the same place, and longer than the one before; the rest is last. */
  readonly buckets = new Float64Array(durationBounds.length + 1);
  /** Seconds. */
  sum = 0;

  observe(milliseconds: number): void {
    const seconds = milliseconds / 1_000;
    let at = 0;
    // The last bucket has no bound.
    while (seconds > (durationBounds[at] ?? Infinity)) at += 1;
    this.buckets[at] = (this.buckets[at] ?? 0) + 1;
    this.sum += seconds;
  }
}

/** In seconds: a read by id takes a millisecond, and a large one at most some seconds. */
export const durationBounds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** The requests of one operation. */
export class RequestMeter {
  /** Responses by the first digit of their status. */
  readonly statuses = new Float64Array(6);
  readonly durations = new DurationMeter();

  observe(status: number, milliseconds: number): void {
    const digit = Math.trunc(status / 100);
    this.statuses[digit] = (this.statuses[digit] ?? 0) + 1;
    this.durations.observe(milliseconds);
  }
}

/** How an attempt of a job ended. `lost`: another process may run it, and it had no effect. */
export const jobOutcomes = ["succeeded", "failed", "dead", "lost"] as const;
export type JobOutcome = (typeof jobOutcomes)[number];

/** The attempts of one kind of job. */
export class JobMeter {
  readonly outcomes: Record<JobOutcome, number> = { succeeded: 0, failed: 0, dead: 0, lost: 0 };
  readonly durations = new DurationMeter();

  observe(outcome: JobOutcome, milliseconds: number): void {
    this.outcomes[outcome] += 1;
    this.durations.observe(milliseconds);
  }
}

/** What waits for a limited number of workers, and what was turned away. */
export interface QueueLoad {
  readonly working: number;
  readonly waiting: number;
  /** Refused because too many of a tenant waited. */
  readonly full: number;
  /** Refused because they had waited for too long. */
  readonly late: number;
}

/** Why requests are refused before any work is done. */
export interface Refusals {
  /** The event loop was late. */
  overload: number;
  /** By the limit of a tenant or an address. */
  readonly limits: Record<"requests" | "tokens" | "failures", number>;
}

/**
 * Counts what a server does, in memory. Each kind of thing is counted by something with few values, such as an
 * operation: never by a tenant, a path or a text of a caller.
 */
export class Meters {
  readonly operations = new Map<string, RequestMeter>();
  readonly jobs = new Map<string, JobMeter>();
  readonly refusals: Refusals = { overload: 0, limits: { requests: 0, tokens: 0, failures: 0 } };
  /** The queues of requests that wait for their turns. */
  turns: Readonly<Record<string, () => QueueLoad>> = {};

  operation(name: string): RequestMeter {
    return meterIn(this.operations, name, () => new RequestMeter());
  }

  job(kind: string): JobMeter {
    return meterIn(this.jobs, kind, () => new JobMeter());
  }
}

function meterIn<Meter>(meters: Map<string, Meter>, name: string, create: () => Meter): Meter {
  let meter = meters.get(name);
  if (meter === undefined) {
    meter = create();
    meters.set(name, meter);
  }
  return meter;
}

/** The operation of requests to anything else: an unknown path, the documentation, a file link, a health check. */
export const otherRequests = "other";
