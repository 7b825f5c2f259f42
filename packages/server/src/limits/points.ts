import { makeRoom, renew, type Instant } from "./window.ts";

/** Points that a tenant has when it has not queried for a while. */
export const tenantPoints = 500_000;
/** Time in which all points come back. */
const refillMilliseconds = 600_000;

const pointsPerMillisecond = tenantPoints / refillMilliseconds;

interface Account {
  readonly used: number;
  readonly at: Instant;
}

/** The outcome of spending points. */
export interface Spending {
  /** False when the tenant had too few points; nothing was taken then. */
  readonly taken: boolean;
  readonly remaining: number;
  /** Seconds until the tenant has all its points again. */
  readonly reset: number;
}

/** The query points of all tenants; they come back evenly with the clock. */
export class PointBudget {
  readonly #accounts = new Map<string, Account>();

  /** Takes the points if the tenant has that many; 0 only reads the balance. */
  spend(cid: string, points: number, now: Instant): Spending {
    const before = this.#used(cid, now);
    const taken = before + points <= tenantPoints;
    const used = taken ? before + points : before;
    if (taken && points > 0) {
      makeRoom(this.#accounts, (_account, each) =>
        this.#used(each, now) === 0 ? "ended" : "current",
      );
      renew(this.#accounts, cid, { used, at: now });
    }
    return {
      taken,
      remaining: Math.floor(tenantPoints - used),
      reset: Math.ceil(used / pointsPerMillisecond / 1_000),
    };
  }

  #used(cid: string, now: Instant): number {
    const account = this.#accounts.get(cid);
    if (account === undefined) return 0;
    const passed = Math.max(0, now - account.at);
    return Math.max(0, account.used - passed * pointsPerMillisecond);
  }
}
