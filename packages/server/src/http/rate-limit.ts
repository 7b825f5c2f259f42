import type { Clock } from "../clock.ts";

export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly until: number;
  /** Whole seconds until then, at least 1. */
  readonly seconds: number;
}

interface Window {
  used: number;
  endsAt: number;
}

const windowMilliseconds = 60_000;

/** Counts requests by key in windows of one minute of the given clock. */
export class RateLimiter {
  readonly limit: number;
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(limit: number, clock: Clock) {
    this.limit = limit;
    this.#clock = clock;
  }

  /** Takes one from the key's allowance. */
  take(key: string): Allowance {
    return this.#allowance(key, 1);
  }

  /** Tells the allowance without taking from it. */
  peek(key: string): Allowance {
    return this.#allowance(key, 0);
  }

  #allowance(key: string, cost: number): Allowance {
    const now = this.#clock.now().getTime();
    let window = this.#windows.get(key);
    if (window === undefined || now >= window.endsAt || window.endsAt - now > windowMilliseconds) {
      if (cost > 0) this.#forgetEnded(now);
      window = { used: 0, endsAt: now + windowMilliseconds };
      if (cost > 0) this.#windows.set(key, window);
    }
    const allowed = window.used + cost <= this.limit && window.used < this.limit;
    if (allowed) window.used += cost;
    return {
      allowed,
      limit: this.limit,
      remaining: Math.max(0, this.limit - window.used),
      until: Math.ceil(window.endsAt / 1_000),
      seconds: Math.max(1, Math.ceil((window.endsAt - now) / 1_000)),
    };
  }

  /** Keys come and go (addresses above all): ended windows must not pile up. */
  #forgetEnded(now: number): void {
    if (this.#windows.size < 10_000) return;
    for (const [key, window] of this.#windows) if (now >= window.endsAt) this.#windows.delete(key);
  }
}
