import type { ServerLimits } from "../config.ts";
import { PointBudget, type Spending } from "./points.ts";
import { allowance, WindowCounter, type Allowance } from "./window.ts";

/** Limits that count requests by key, which is a tenant or an address. */
export const requestLimits = ["requestsPerMinute", "tokenRequestsPerMinute"] as const;
export type RequestLimit = (typeof requestLimits)[number];

/**
 * The counters of one server with one or several processes. A result is a promise only if another process
 * must be asked.
 */
export interface Limits {
  /** Takes one request from the key's allowance. Null if the limit is switched off. */
  take(limit: RequestLimit, key: string, now: Date): Allowance | Promise<Allowance> | null;
  /** The exhausted allowance of an address with too many failed authentications. Null for other addresses. */
  blocked(address: string, now: Date): Allowance | null;
  /** Counts a failed authentication. A returned promise resolves when every process knows of it. */
  countFailure(address: string, now: Date): Promise<void> | undefined;
  /** Takes query points from a tenant that has enough of them. With 0, only reads its balance. */
  spend(cid: string, points: number, now: Date): Spending | Promise<Spending>;
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

  blocked(address: string, now: Date): Allowance | null {
    const window = this.#failures?.current(address, now.getTime()) ?? null;
    if (this.#failures === null || window === null) return null;
    const { limit } = this.#failures;
    if (window.used < limit) return null;
    const state = { allowed: false, remaining: 0, endsAt: window.endsAt };
    return allowance(state, limit, now.getTime());
  }

  countFailure(address: string, now: Date): undefined {
    this.#failures?.take(address, now.getTime());
  }

  spend(cid: string, points: number, now: Date): Spending {
    return this.#points.spend(cid, points, now.getTime());
  }
}
