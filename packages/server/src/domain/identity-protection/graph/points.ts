/** Points that a tenant has when it has asked nothing for a while. */
export const tenantPoints = 500_000;
/** In which all points come back. */
const refillMilliseconds = 600_000;

const pointsAMillisecond = tenantPoints / refillMilliseconds;

interface Account {
  used: number;
  at: number;
}

/** What a tenant has left, and the seconds until it has all again. */
export interface Balance {
  readonly remaining: number;
  readonly reset: number;
}

/** The points of all tenants; they come back evenly with the clock. */
export class Points {
  readonly #accounts = new Map<string, Account>();

  balance(cid: string, now: Date): Balance {
    const used = this.#used(cid, now);
    return {
      remaining: Math.floor(tenantPoints - used),
      reset: Math.ceil(used / pointsAMillisecond / 1_000),
    };
  }

  /** Takes the points, unless there are not so many. */
  take(cid: string, points: number, now: Date): boolean {
    const used = this.#used(cid, now);
    if (used + points > tenantPoints) return false;
    this.#forgetFull(now);
    this.#accounts.set(cid, { used: used + points, at: now.getTime() });
    return true;
  }

  #used(cid: string, now: Date): number {
    const account = this.#accounts.get(cid);
    if (account === undefined) return 0;
    const passed = Math.max(0, now.getTime() - account.at);
    return Math.max(0, account.used - passed * pointsAMillisecond);
  }

  #forgetFull(now: Date): void {
    if (this.#accounts.size < 10_000) return;
    for (const cid of this.#accounts.keys()) {
      if (this.#used(cid, now) === 0) this.#accounts.delete(cid);
    }
  }
}
