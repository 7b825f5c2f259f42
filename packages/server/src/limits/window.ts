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

/** Milliseconds since 1970. */
export type Instant = number;

export const windowMilliseconds = 60_000;

/** Whether the window is over. True also if the clock was set back, so that no caller waits longer than one window. */
const isOver = (endsAt: Instant, now: Instant): boolean =>
  now >= endsAt || endsAt - now > windowMilliseconds;

/** Maximum number of keys, because keys (above all addresses) come and go. */
export const keysKept = 50_000;
/** Number of the oldest keys that are checked for each new key. */
const oldestLookedAt = 4;

/**
 * Makes room for one more key. Removes the oldest keys that have ended; a map keeps its keys in insertion
 * order. From a full map, also removes the oldest key that has not ended. At most a few keys
 * are checked, but the map first skips the places of removed keys: tens of microseconds if the map is full.
 */
export function makeRoom<Key, Value>(
  map: Map<Key, Value>,
  hasEnded: (value: Value, key: Key) => boolean,
): void {
  let looked = 0;
  for (const [key, value] of map) {
    looked += 1;
    if (looked > oldestLookedAt) return;
    if (hasEnded(value, key) || map.size >= keysKept) map.delete(key);
    else return;
  }
}

/** Sets a value and makes its key the newest. */
export function renew<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** The allowance of the request with this number in a window. */
export const allowanceOf = (
  limit: number,
  number: number,
  endsAt: Instant,
  now: Instant,
): Allowance => ({
  allowed: number <= limit,
  limit,
  remaining: Math.max(0, limit - number),
  until: Math.ceil(endsAt / 1_000),
  seconds: Math.max(1, Math.ceil((endsAt - now) / 1_000)),
});

/** A key's count in its current window. */
interface Window {
  used: number;
  readonly endsAt: Instant;
}

/** Counts by key in windows of one minute. The window of a key starts with its first count. */
export class WindowCounter {
  readonly #limit: number;
  readonly #windows = new Map<string, Window>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts one request of the key, and returns its allowance. */
  take(key: string, now: Instant): Allowance {
    let window = this.#windows.get(key);
    if (window === undefined || isOver(window.endsAt, now)) {
      makeRoom(this.#windows, ({ endsAt }) => isOver(endsAt, now));
      window = { used: 0, endsAt: now + windowMilliseconds };
      renew(this.#windows, key, window);
    }
    const allowance = allowanceOf(this.#limit, window.used + 1, window.endsAt, now);
    if (allowance.allowed) window.used += 1;
    return allowance;
  }

  /** The keys whose window has not ended. */
  *list(now: Instant): Iterable<{ key: string; used: number; most: number; ends_at: Date }> {
    for (const [key, { used, endsAt }] of this.#windows) {
      if (isOver(endsAt, now)) continue;
      yield { key, used, most: this.#limit, ends_at: new Date(endsAt) };
    }
  }

  /** Number of keys that are kept. */
  get size(): number {
    return this.#windows.size;
  }
}
