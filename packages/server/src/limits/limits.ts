import type { Awaitable } from "../foundation/awaitable.ts";
import type { ServerLimits } from "../foundation/config.ts";
import { PointBudget, type Spending } from "./points.ts";
import { WindowCounter, type Allowance } from "./window.ts";

/** Limits that count requests by key, which is a tenant or an address. */
export type RequestLimit = "requestsPerMinute" | "tokenRequestsPerMinute";

/** The counters of one server with one or several processes. */
export interface Limits {
  /** Takes one request from the key's allowance. Null if the limit is switched off. */
  take(limit: RequestLimit, key: string, now: Date): Awaitable<Allowance | null>;
  /**
   * Counts a failed authentication of an address. Returns the exhausted allowance of an address that had too many
   * before; otherwise null.
   */
  countFailure(address: string, now: Date): Awaitable<Allowance | null>;
  /** Takes query points from a tenant that has enough of them. With 0, only reads its balance. */
  spend(cid: string, points: number, now: Date): Awaitable<Spending>;
}

/** A counter of one limit in its current window. */
export interface LimitState {
  readonly limit: string;
  /** A tenant or an address. */
  readonly key: string;
  readonly used: number;
  readonly most: number;
  readonly ends_at: Date;
}

interface Counters extends Readonly<Record<RequestLimit, WindowCounter | null>> {
  readonly failures: WindowCounter | null;
  readonly points: PointBudget;
}

function countersFor(limits: ServerLimits): Counters {
  const counter = (limit: number) => (limit === 0 ? null : new WindowCounter(limit));
  return {
    requestsPerMinute: counter(limits.requestsPerMinute),
    tokenRequestsPerMinute: counter(limits.tokenRequestsPerMinute),
    failures: counter(limits.failedAuthenticationsPerMinute),
    points: new PointBudget(),
  };
}

/** The counters of a server with a single process. */
export class LocalLimits implements Limits {
  readonly #limits: ServerLimits;
  #counters: Counters;

  constructor(limits: ServerLimits) {
    this.#limits = limits;
    this.#counters = countersFor(limits);
  }

  /** What was counted in the current windows. */
  list(now: Date): readonly LimitState[] {
    const { points: _points, failures, ...others } = this.#counters;
    const counters = { ...others, failedAuthenticationsPerMinute: failures };
    return Object.entries(counters).flatMap(([limit, counter]) =>
      [...(counter?.list(now.getTime()) ?? [])].map((state) => ({ limit, ...state })),
    );
  }

  /** Counts from zero again. */
  clear(): void {
    this.#counters = countersFor(this.#limits);
  }

  take(limit: RequestLimit, key: string, now: Date): Allowance | null {
    return this.#counters[limit]?.take(key, now.getTime()) ?? null;
  }

  countFailure(address: string, now: Date): Allowance | null {
    const counted = this.#counters.failures?.take(address, now.getTime()) ?? null;
    return counted?.allowed === false ? counted : null;
  }

  spend(cid: string, points: number, now: Date): Spending {
    return this.#counters.points.spend(cid, points, now.getTime());
  }
}
