/** What one key has left of a limit in its current window. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly until: number;
  /** Whole seconds until then, at least 1. */
  readonly seconds: number;
}

/** Milliseconds since 1970; windows of different processes are compared by their end. */
export type Instant = number;

export const windowMilliseconds = 60_000;

/** Also true when the clock was set back, so that nobody waits longer than a window. */
export const isOver = (endsAt: Instant, now: Instant): boolean =>
  now >= endsAt || endsAt - now > windowMilliseconds;

export function allowance(
  state: { readonly allowed: boolean; readonly remaining: number; readonly endsAt: Instant },
  limit: number,
  now: Instant,
): Allowance {
  return {
    allowed: state.allowed,
    limit,
    remaining: state.remaining,
    until: Math.ceil(state.endsAt / 1_000),
    seconds: Math.max(1, Math.ceil((state.endsAt - now) / 1_000)),
  };
}

/** Keys come and go (addresses above all): no more are kept than these. */
export const keysKept = 50_000;
/** So few of the oldest keys are looked at for each new one. */
const oldestLookedAt = 4;

/**
 * Makes room for one more key, in constant time: a map has its keys in the order in which they were
 * set. Removes the oldest that have ended; from a full map also the oldest that has not, unless it is
 * in use.
 */
export function makeRoom<Key, Value>(
  map: Map<Key, Value>,
  stateOf: (value: Value, key: Key) => "ended" | "current" | "in use",
): void {
  let looked = 0;
  for (const [key, value] of map) {
    looked += 1;
    if (looked > oldestLookedAt) return;
    const state = stateOf(value, key);
    if (state === "in use") renew(map, key, value);
    else if (state === "ended" || map.size >= keysKept) map.delete(key);
    else return;
  }
}

/** Sets a value and makes its key the newest. */
export function renew<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** A key's count in its current window. */
export interface Window {
  used: number;
  readonly endsAt: Instant;
}

/** Counts by key in windows of one minute, each of which starts with its key's first count. */
export class WindowCounter {
  readonly limit: number;
  readonly #windows = new Map<string, Window>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Takes one from the key's allowance. */
  take(key: string, now: Instant): Allowance {
    let window = this.current(key, now);
    if (window === null) {
      makeRoom(this.#windows, ({ endsAt }) => (isOver(endsAt, now) ? "ended" : "current"));
      window = { used: 0, endsAt: now + windowMilliseconds };
      renew(this.#windows, key, window);
    }
    const allowed = window.used < this.limit;
    if (allowed) window.used += 1;
    return allowance(
      { allowed, remaining: this.limit - window.used, endsAt: window.endsAt },
      this.limit,
      now,
    );
  }

  /** The key's window; null when it has ended or nothing was counted. */
  current(key: string, now: Instant): Window | null {
    const window = this.#windows.get(key);
    return window === undefined || isOver(window.endsAt, now) ? null : window;
  }

  /** Number of keys that are kept. */
  get size(): number {
    return this.#windows.size;
  }

  /** Keys that have used up their allowance, with the ends of their windows. */
  exhausted(now: Instant): readonly (readonly [string, Instant])[] {
    return [...this.#windows]
      .filter(([, { used, endsAt }]) => used >= this.limit && !isOver(endsAt, now))
      .map(([key, { endsAt }]) => [key, endsAt]);
  }
}
