import type { Clock } from "../clock.ts";
import type { ServerLimits } from "../config.ts";
import { requestLimits, type Limits, type RequestLimit } from "./limits.ts";
import type { Block, Joined, KeeperQuestion, Lease, Unspent, WorkerQuestion } from "./messages.ts";
import { PointBudget, type Spending } from "./points.ts";
import { Port, type Channel } from "./port.ts";
import { allowance, isOver, makeRoom, renew, type Allowance, type Instant } from "./window.ts";

/** A key's lease in this process. */
interface HeldLease {
  unspent: number;
  /** Requests left outside this lease when it was granted. */
  left: number;
  endsAt: Instant;
  grantedAt: Instant;
  /** True if nothing is left until the window ends. */
  exhausted: boolean;
  asking: boolean;
  readonly waiting: ((lease: Allowance) => void)[];
}

/** Time after which a lease is renewed, so that remaining counts follow the other workers. */
const freshMilliseconds = 1_000;

/** Joins the keeper's server as a worker. Resolves when the worker may accept requests. */
export function joinLimits(channel: Channel, limits: ServerLimits, clock: Clock): Promise<Limits> {
  return new Promise((resolve, reject) => {
    const shared = new SharedLimits(channel, limits, clock);
    shared.join((joined) => {
      if (joined) resolve(shared);
      else reject(new Error("the process that counts requests is gone"));
    });
  });
}

/** The counters of one of several workers. A `LimitKeeper` counts for all of them. */
class SharedLimits implements Limits {
  readonly #limits: ServerLimits;
  readonly #clock: Clock;
  readonly #keeper: Port<WorkerQuestion, KeeperQuestion>;
  readonly #leases: Readonly<Record<RequestLimit, Map<string, HeldLease>>>;
  /** By address: the end of the window in which the address is refused. */
  readonly #blocks = new Map<string, Instant>();

  constructor(channel: Channel, limits: ServerLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#leases = Object.fromEntries(
      requestLimits.map((name) => [name, new Map<string, HeldLease>()]),
    ) as Record<RequestLimit, Map<string, HeldLease>>;
    this.#keeper = new Port(channel, (question, reply) => reply(this.#answer(question)));
  }

  join(done: (joined: boolean) => void): void {
    this.#keeper.ask<Joined>({ kind: "join" }, (joined) => {
      for (const block of joined?.blocks ?? []) this.#block(block);
      done(joined !== null);
    });
  }

  take(limit: RequestLimit, key: string, at: Date): Allowance | Promise<Allowance> | null {
    if (this.#limits[limit] === 0) return null;
    const now = at.getTime();
    const lease = this.#lease(limit, key, now);
    if (!lease.asking && !isOver(lease.endsAt, now)) {
      if (lease.exhausted) return this.#use(limit, lease, now);
      const isFresh = Math.abs(now - lease.grantedAt) < freshMilliseconds;
      if (isFresh && lease.unspent > 0) return this.#use(limit, lease, now);
    }
    return new Promise((resolve) => {
      lease.waiting.push(resolve);
      if (!lease.asking) this.#ask(limit, key, lease);
    });
  }

  blocked(address: string, at: Date): Allowance | null {
    const endsAt = this.#blocks.get(address);
    if (endsAt === undefined) return null;
    const now = at.getTime();
    if (isOver(endsAt, now)) {
      this.#blocks.delete(address);
      return null;
    }
    const state = { allowed: false, remaining: 0, endsAt };
    return allowance(state, this.#limits.failedAuthenticationsPerMinute, now);
  }

  countFailure(address: string): Promise<void> | undefined {
    if (this.#limits.failedAuthenticationsPerMinute === 0) return undefined;
    return new Promise((resolve) =>
      this.#keeper.ask({ kind: "failure", address }, () => resolve()),
    );
  }

  spend(cid: string, points: number, now: Date): Promise<Spending> {
    return new Promise((resolve) =>
      this.#keeper.ask<Spending>(
        { kind: "spend", cid, points, at: now.getTime() },
        // Without a keeper, this worker will also stop soon.
        (spending) => resolve(spending ?? new PointBudget().spend(cid, points, now.getTime())),
      ),
    );
  }

  #lease(limit: RequestLimit, key: string, now: Instant): HeldLease {
    const leases = this.#leases[limit];
    let lease = leases.get(key);
    if (lease === undefined) {
      makeRoom(leases, (each) => {
        if (each.asking) return "in use";
        return isOver(each.endsAt, now) ? "ended" : "current";
      });
      lease = {
        unspent: 0,
        left: 0,
        endsAt: 0,
        grantedAt: 0,
        exhausted: false,
        asking: false,
        waiting: [],
      };
      leases.set(key, lease);
    } else if (isOver(lease.endsAt, now)) {
      renew(leases, key, lease);
    }
    return lease;
  }

  #use(limit: RequestLimit, lease: HeldLease, now: Instant): Allowance {
    const allowed = lease.unspent > 0;
    if (allowed) lease.unspent -= 1;
    const { endsAt } = lease;
    const remaining = lease.left + lease.unspent;
    return allowance({ allowed, remaining, endsAt }, this.#limits[limit], now);
  }

  #ask(limit: RequestLimit, key: string, lease: HeldLease): void {
    lease.asking = true;
    const returned = giveUp(lease);
    const requested = lease.waiting.length;
    this.#keeper.ask<Lease>({ kind: "lease", limit, key, requested, returned }, (reply) => {
      const now = this.#clock.now().getTime();
      // Without a keeper, this worker will also stop soon. It finishes the requests that have arrived.
      const granted = reply ?? { granted: lease.waiting.length, left: 0, endsAt: now };
      lease.asking = false;
      lease.unspent = granted.granted;
      lease.left = granted.left;
      lease.endsAt = granted.endsAt;
      lease.grantedAt = now;
      lease.exhausted = granted.granted === 0;
      while (lease.waiting.length > 0 && (lease.unspent > 0 || lease.exhausted)) {
        lease.waiting.shift()?.(this.#use(limit, lease, now));
      }
      if (lease.waiting.length > 0) this.#ask(limit, key, lease);
    });
  }

  #answer(question: KeeperQuestion): object {
    if (question.kind === "block") {
      this.#block(question.block);
      return {};
    }
    const lease = this.#leases[question.limit].get(question.key);
    return lease === undefined ? { unspent: 0, endsAt: 0 } : giveUp(lease);
  }

  #block({ address, endsAt }: Block): void {
    const now = this.#clock.now().getTime();
    makeRoom(this.#blocks, (each) => (isOver(each, now) ? "ended" : "current"));
    renew(this.#blocks, address, endsAt);
  }
}

function giveUp(lease: HeldLease): Unspent {
  const { unspent, endsAt } = lease;
  lease.unspent = 0;
  return { unspent, endsAt };
}
