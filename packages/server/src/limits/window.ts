/** The allowance of a key in its current window. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly until: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly seconds: number;
}

/** Milliseconds since 1970. Windows of different processes are compared by their end. */
export type Instant = number;

export const windowMilliseconds = 60_000;

/** Also true if the clock was set back, so that no caller waits longer than one window. */
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

/** Maximum number of keys, because keys (above all addresses) come and go. */
export const keysKept = 50_000;
/** Number of the oldest keys that are checked for each new key. */
const oldestLookedAt = 4;

/**
 * Makes room for one more key. Removes the oldest keys that have ended; a map keeps its keys in insertion
 * order. From a full map, also removes the oldest key that has not ended, unless it is in use. At most a few
 * keys are checked, but the map first skips the places of removed keys: tens of microseconds if the map is full.
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

/** Counts by key in windows of one minute. The window of a key starts with its first count. */
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

  /** Keys with an exhausted allowance, and the ends of their windows. */
  exhausted(now: Instant): readonly (readonly [string, Instant])[] {
    return [...this.#windows]
      .filter(([, { used, endsAt }]) => used >= this.limit && !isOver(endsAt, now))
      .map(([key, { endsAt }]) => [key, endsAt]);
  }
}
