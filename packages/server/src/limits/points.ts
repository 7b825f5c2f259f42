import { makeRoom, renew, type Instant } from "./window.ts";

/** Full balance of a tenant in points. */
export const tenantPoints = 500_000;
/** Time in milliseconds after which an empty balance is full again. */
const refillMilliseconds = 600_000;

const pointsPerMillisecond = tenantPoints / refillMilliseconds;

interface Account {
  readonly used: number;
  readonly at: Instant;
}

/** The outcome of spending points. */
export interface Spending {
  /** False if the tenant had too few points. Nothing was taken then. */
  readonly accepted: boolean;
  readonly remaining: number;
  /** Seconds until the tenant's balance is full again. */
  readonly reset: number;
}

/** The query points of all tenants. They refill evenly over time. */
export class PointBudget {
  readonly #accounts = new Map<string, Account>();

  /** Takes points from a tenant that has enough of them. With 0, only reads the balance. */
  spend(cid: string, points: number, now: Instant): Spending {
    const before = this.#used(cid, now);
    const accepted = before + points <= tenantPoints;
    const used = accepted ? before + points : before;
    if (accepted && points > 0) {
      makeRoom(this.#accounts, (_account, each) => this.#used(each, now) === 0);
      renew(this.#accounts, cid, { used, at: now });
    }
    return {
      accepted,
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
