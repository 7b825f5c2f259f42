import { unlessAborted, type Clock } from "../clock.ts";
import type { RateLimit } from "../wire/response-info.ts";

/** Bounds the number of concurrent requests; further ones wait in order. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => unknown>();

  constructor(maximum: number) {
    this.#free = maximum;
  }

  /** Takes a slot, at once if one is free. Throws the signal's reason, or rejects with it, when it is aborted. */
  take(signal?: AbortSignal): Promise<void> | undefined {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    let start!: () => void;
    const turn = (): Promise<void> =>
      new Promise((resolve) => this.#waiting.add((start = resolve)));
    return unlessAborted(turn, signal).catch((reason: unknown) => {
      // Outside the queue, it has a slot already, and passes it on.
      if (!this.#waiting.delete(start)) this.release();
      throw reason;
    });
  }

  /** Frees a slot. Call it once for each slot that was taken. */
  release(): void {
    const [next = () => (this.#free += 1)] = this.#waiting;
    this.#waiting.delete(next);
    next();
  }
}

/** Requests are spaced when less than this share of the rate limit is left. */
const reserve = 0.1;
const minute = 60_000;

/**
 * Keeps one tenant below its rate limit: when little of it is left, requests start at the rate at which the
 * server restores it.
 */
export class Pace {
  readonly #clock: Clock;
  #interval = 0;
  #nextStart = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  observe(rateLimit: RateLimit | undefined): void {
    if (rateLimit === undefined) return;
    const { limit, remaining } = rateLimit;
    this.#interval = limit > 0 && remaining < limit * reserve ? minute / limit : 0;
  }

  /** Waits until the next request may start, unless that is now. */
  wait(signal?: AbortSignal): Promise<void> | undefined {
    if (this.#interval === 0) return undefined;
    const now = this.#clock.now().getTime();
    const start = Math.max(now, this.#nextStart);
    this.#nextStart = start + this.#interval;
    if (start <= now) return undefined;
    return this.#clock.sleep(start - now, signal).catch((error: unknown) => {
      this.#nextStart -= this.#interval;
      throw error;
    });
  }
}
