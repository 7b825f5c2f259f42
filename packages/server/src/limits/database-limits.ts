import { setImmediate } from "node:timers/promises";
import type { Awaitable } from "../foundation/awaitable.ts";
import type { Clock } from "../foundation/clock.ts";
import type { ServerLimits } from "../foundation/config.ts";
import type { LimitCounts, LimitTotal } from "../foundation/limit-counts.ts";
import type { Limits, RequestLimit } from "./limits.ts";
import type { Spending } from "./points.ts";
import {
  allowanceOf,
  makeRoom,
  renew,
  windowMilliseconds,
  type Allowance,
  type Instant,
} from "./window.ts";

type SharedLimit = RequestLimit | "failedAuthenticationsPerMinute";

/** A server may admit this share of a limit before it adds its count to that of all servers. */
const slicesOfLimit = 100;
/** Smaller limits are exact. Their callers cause few statements: at most 17 a second. */
const smallestShared = 1_000;
/** Time after which counts that are smaller than a slice are added. */
const addMilliseconds = 100;
/** Time for which requests wait for the counts of the other servers. Until the database responds again, no others wait. */
const patienceMilliseconds = 2_000;
/** Time after which a database that did not respond is asked again. */
const retryMilliseconds = 1_000;

/** Calls `work` once after a time. It must not keep the process alive. */
export type After = (milliseconds: number, work: () => void) => void;

const afterTime: After = (milliseconds, work) => void setTimeout(work, milliseconds).unref();

/** A key in its current window, as this server knows it. */
interface Window {
  readonly limit: SharedLimit;
  readonly key: string;
  readonly most: number;
  endsAt: Instant;
  /** The count of all servers when this one was last added. Null: not known yet. */
  used: number | null;
  /** Requests that are not added yet. */
  unadded: number;
  /** Requests that are being added. */
  adding: number;
  /** Requests that wait for the count of all servers, in their order. They are not in `unadded`. */
  waiting: ((allowance: Allowance) => void)[];
}

export interface DatabaseLimitsParts {
  readonly counts: LimitCounts;
  readonly limits: ServerLimits;
  readonly clock: Clock;
  /** The query points of this server. */
  readonly local: Limits;
  /** Called when counts cannot be added, once until they can be again. */
  readonly onAway: (error: unknown) => void;
  readonly after?: After;
}

/**
 * Limits that all servers of a database share. Each server counts by itself and adds its count to the database's, of
 * all keys in one statement: once a hundredth of the limit is reached, or after 100 ms. So a limit can be exceeded by
 * what other servers have not added yet, at most two hundredths for each of them. A limit below 1,000 is exact: each of
 * its requests waits for the database, together with others. The first request of a window waits as well, to learn
 * what other servers have admitted. While the database does not respond, the server counts alone.
 */
export class DatabaseLimits implements Limits {
  readonly #parts: DatabaseLimitsParts;
  readonly #after: After;
  readonly #windows = new Map<string, Window>();
  /** Windows with something to add. */
  #changed = new Set<Window>();
  #adding: Promise<void> | null = null;
  #isStopped = false;
  #isTimed = false;
  #isAway = false;
  #purgedAt: Instant = 0;

  constructor(parts: DatabaseLimitsParts) {
    this.#parts = parts;
    this.#after = parts.after ?? afterTime;
  }

  take(limit: RequestLimit, key: string, now: Date): Awaitable<Allowance | null> {
    return this.#take(limit, key, now.getTime());
  }

  async countFailure(address: string, now: Date): Promise<Allowance | null> {
    const counted = await this.#take("failedAuthenticationsPerMinute", address, now.getTime());
    return counted?.allowed === false ? counted : null;
  }

  spend(cid: string, points: number, now: Date): Awaitable<Spending> {
    return this.#parts.local.spend(cid, points, now);
  }

  #take(limit: SharedLimit, key: string, now: Instant): Awaitable<Allowance | null> {
    const most = this.#parts.limits[limit];
    if (most === 0) return null;
    const window = this.#windowOf(limit, key, most, now);
    const slice = sliceOf(most);
    if (window.used !== null && countOf(window) >= most)
      return allowanceOf(most, most + 1, window.endsAt, now);
    const unknown = window.unadded + window.adding;
    if (!this.#isAway && !this.#isStopped && (window.used === null || unknown >= 2 * slice)) {
      return new Promise((resolve) => {
        window.waiting.push(resolve);
        this.#changed.add(window);
        this.#add();
      });
    }
    window.used ??= 0;
    window.unadded += 1;
    this.#changed.add(window);
    if (window.unadded >= slice && !this.#isAway) this.#add();
    else this.#addLater(this.#isAway ? retryMilliseconds : addMilliseconds);
    return allowanceOf(most, countOf(window), window.endsAt, now);
  }

  #windowOf(limit: SharedLimit, key: string, most: number, now: Instant): Window {
    const name = nameOf({ limit, key });
    const current = this.#windows.get(name);
    if (current !== undefined && !isOver(current, now)) return current;
    makeRoom(this.#windows, (window) => isOver(window, now));
    const endsAt = now + windowMilliseconds;
    const window: Window = {
      limit,
      key,
      most,
      endsAt,
      used: null,
      unadded: 0,
      adding: 0,
      waiting: [],
    };
    renew(this.#windows, name, window);
    return window;
  }

  #addLater(milliseconds: number): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#after(milliseconds, () => {
      this.#isTimed = false;
      this.#add();
    });
  }

  /** Adds what is not added yet, and then counts alone. */
  async stop(): Promise<void> {
    this.#add();
    this.#isStopped = true;
    await this.#adding;
    this.#isAway = true;
  }

  /** Adds all counts, unless it is doing so already. Then it adds the further ones afterwards. */
  #add(): void {
    if (this.#adding !== null || this.#isStopped || this.#changed.size === 0) return;
    this.#adding = this.#addInTurn();
  }

  async #addInTurn(): Promise<void> {
    await this.#addNow();
    this.#adding = null;
    if (this.#isStopped) return;
    if (this.#isAway) this.#addLater(retryMilliseconds);
    else if ([...this.#changed].some(isUrgent)) this.#add();
    else if (this.#changed.size > 0) this.#addLater(addMilliseconds);
  }

  async #addNow(): Promise<void> {
    // Requests of the same turn of the event loop are added together.
    await setImmediate();
    const { counts, clock } = this.#parts;
    const windows = [...this.#changed].filter((window) => this.#isCurrent(window));
    this.#changed = new Set();
    const waiting = new Map(windows.map((window) => [window, window.waiting]));
    for (const window of windows) {
      window.adding = window.unadded + window.waiting.length;
      window.unadded = 0;
      window.waiting = [];
    }
    let settled = false;
    this.#after(patienceMilliseconds, () => {
      if (!settled) this.#goAlone(waiting);
    });
    try {
      const added = windows.map(({ limit, key, adding }) => ({ limit, key, count: adding }));
      const totals = await counts.add(added, clock.now(), windowMilliseconds);
      settled = true;
      this.#isAway = false;
      this.#learn(windows, totals, waiting);
      this.#purge();
    } catch (error) {
      settled = true;
      if (!this.#isAway) this.#parts.onAway(error);
      this.#goAlone(waiting);
      for (const window of windows) {
        window.unadded += window.adding;
        window.adding = 0;
        this.#changed.add(window);
      }
    }
  }

  /** Whether the window's count still matters. Otherwise decides on its waiting requests. */
  #isCurrent(window: Window): boolean {
    const now = this.#parts.clock.now().getTime();
    const isLatest = this.#windows.get(nameOf(window)) === window;
    if (isLatest && (window.waiting.length > 0 || !isOver(window, now))) return true;
    for (const resolve of window.waiting.splice(0)) {
      window.unadded += 1;
      resolve(allowanceOf(window.most, countOf(window), window.endsAt, now));
    }
    return false;
  }

  #learn(
    windows: readonly Window[],
    totals: readonly LimitTotal[],
    waiting: ReadonlyMap<Window, Window["waiting"]>,
  ): void {
    const now = this.#parts.clock.now().getTime();
    const byName = new Map(totals.map((total) => [nameOf(total), total]));
    for (const window of windows) {
      const total = byName.get(nameOf(window));
      if (total === undefined) continue;
      window.used = total.count;
      window.adding = 0;
      window.endsAt = Math.min(total.endsAt, now + windowMilliseconds);
      const waited = waiting.get(window) ?? [];
      const before = total.count - waited.length;
      for (const [at, resolve] of waited.splice(0).entries()) {
        resolve(allowanceOf(window.most, before + at + 1, window.endsAt, now));
      }
    }
  }

  /** Decides on waiting requests by what this server knows. */
  #goAlone(waiting: ReadonlyMap<Window, Window["waiting"]>): void {
    this.#isAway = true;
    const now = this.#parts.clock.now().getTime();
    for (const [window, waited] of waiting) {
      window.used ??= 0;
      const before = countOf(window) - waited.length;
      for (const [at, resolve] of waited.splice(0).entries()) {
        resolve(allowanceOf(window.most, before + at + 1, window.endsAt, now));
      }
    }
  }

  /** Deletes the windows that have ended, once in each window. */
  #purge(): void {
    const { counts, clock } = this.#parts;
    const now = clock.now();
    if (Math.abs(now.getTime() - this.#purgedAt) < windowMilliseconds) return;
    this.#purgedAt = now.getTime();
    counts.purge(now).catch(() => undefined);
  }
}

/** Whether a request waits, or a slice is full. */
const isUrgent = ({ waiting, unadded, most }: Window): boolean =>
  waiting.length > 0 || unadded >= Math.max(1, sliceOf(most));

const sliceOf = (most: number): number =>
  most < smallestShared ? 0 : Math.floor(most / slicesOfLimit);

const nameOf = ({ limit, key }: { readonly limit: string; readonly key: string }): string =>
  `${limit} ${key}`;

const countOf = ({ used, unadded, adding }: Window): number => (used ?? 0) + unadded + adding;

const isOver = ({ endsAt }: Window, now: Instant): boolean =>
  now >= endsAt || endsAt - now > windowMilliseconds;
