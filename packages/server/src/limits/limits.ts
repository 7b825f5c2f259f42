import type { Awaitable } from "../awaitable.ts";
import type { ServerLimits } from "../config.ts";
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

/** The counters of a server with a single process. */
export class LocalLimits implements Limits {
  readonly #counters: Readonly<Record<RequestLimit, WindowCounter | null>>;
  readonly #failures: WindowCounter | null;
  readonly #points = new PointBudget();

  constructor(limits: ServerLimits) {
    const counter = (limit: number) => (limit === 0 ? null : new WindowCounter(limit));
    this.#counters = {
      requestsPerMinute: counter(limits.requestsPerMinute),
      tokenRequestsPerMinute: counter(limits.tokenRequestsPerMinute),
    };
    this.#failures = counter(limits.failedAuthenticationsPerMinute);
  }

  take(limit: RequestLimit, key: string, now: Date): Allowance | null {
    return this.#counters[limit]?.take(key, now.getTime()) ?? null;
  }

  countFailure(address: string, now: Date): Allowance | null {
    const counted = this.#failures?.take(address, now.getTime()) ?? null;
    return counted?.allowed === false ? counted : null;
  }

  spend(cid: string, points: number, now: Date): Spending {
    return this.#points.spend(cid, points, now.getTime());
  }
}
