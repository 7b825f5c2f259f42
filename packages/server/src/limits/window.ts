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

/** Keys come and go (addresses above all); ended windows must not pile up beyond this number. */
const windowsKept = 10_000;

/** Removes what `isEnded` accepts once a map has grown large. */
export function forgetEnded<Key, Value>(
  map: Map<Key, Value>,
  isEnded: (value: Value, key: Key) => boolean,
): void {
  if (map.size < windowsKept) return;
  for (const [key, value] of map) if (isEnded(value, key)) map.delete(key);
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
      forgetEnded(this.#windows, ({ endsAt }) => isOver(endsAt, now));
      window = { used: 0, endsAt: now + windowMilliseconds };
      this.#windows.set(key, window);
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

  /** Keys that have used up their allowance, with the ends of their windows. */
  exhausted(now: Instant): readonly (readonly [string, Instant])[] {
    return [...this.#windows]
      .filter(([, { used, endsAt }]) => used >= this.limit && !isOver(endsAt, now))
      .map(([key, { endsAt }]) => [key, endsAt]);
  }
}
