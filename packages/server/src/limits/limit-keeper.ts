import type { Clock } from "../clock.ts";
import type { ServerLimits } from "../config.ts";
import { requestLimits, type RequestLimit } from "./limits.ts";
import type { Block, KeeperQuestion, Lease, Unspent, WorkerQuestion } from "./messages.ts";
import { PointBudget } from "./points.ts";
import { Port, type Channel } from "./port.ts";
import {
  isOver,
  makeRoom,
  renew,
  WindowCounter,
  windowMilliseconds,
  type Instant,
} from "./window.ts";

type Member = Port<KeeperQuestion, WorkerQuestion>;

/** A request for a lease that waits until other workers return theirs. */
interface Waiting {
  readonly member: Member;
  readonly requested: number;
  readonly reply: (lease: Lease) => void;
}

/** The window of one key. Workers hold leases of it. */
interface LeasedWindow {
  granted: number;
  endsAt: Instant;
  /** Workers that may have requests left in their leases, with the size of the leases. */
  readonly holders: Map<Member, number>;
  readonly waiting: Waiting[];
  /** Number of workers that must still return their leases. */
  recalls: number;
}

/**
 * Small enough to keep `X-RateLimit-Remaining` nearly exact, and large enough to make requests for leases
 * rare.
 */
const largestLease = 32;

/**
 * Counts for all workers of a server, in the process that starts them. Workers take requests in leases, which
 * become smaller with the allowance. Before a request is refused, the other workers return their unused
 * requests, so a limit is exact. If a worker dies, the rest of its leases is lost until their window ends.
 */
export class LimitKeeper {
  readonly #limits: ServerLimits;
  readonly #clock: Clock;
  readonly #members = new Set<Member>();
  readonly #windows: Readonly<Record<RequestLimit, Map<string, LeasedWindow>>>;
  readonly #failures: WindowCounter;
  readonly #points = new PointBudget();

  constructor(limits: ServerLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#windows = Object.fromEntries(
      requestLimits.map((name) => [name, new Map<string, LeasedWindow>()]),
    ) as Record<RequestLimit, Map<string, LeasedWindow>>;
    this.#failures = new WindowCounter(limits.failedAuthenticationsPerMinute);
  }

  /** Serves a worker until its channel closes. */
  attach(channel: Channel): void {
    const member: Member = new Port(channel, (question, reply) =>
      this.#answer(member, question, reply),
    );
    this.#members.add(member);
    channel.onClose(() => {
      this.#members.delete(member);
      for (const windows of Object.values(this.#windows)) {
        for (const { holders } of windows.values()) holders.delete(member);
      }
    });
  }

  #answer(member: Member, question: WorkerQuestion, reply: (content: object) => void): void {
    const now = this.#clock.now().getTime();
    switch (question.kind) {
      case "join":
        reply({
          blocks: this.#failures
            .exhausted(now)
            .map(([address, endsAt]): Block => ({ address, endsAt })),
        });
        return;
      case "lease": {
        const { limit, key, requested, returned } = question;
        const window = this.#window(limit, key, now);
        takeBack(window, member, returned);
        window.waiting.push({ member, requested, reply });
        if (window.recalls === 0) this.#serve(limit, key, window);
        return;
      }
      case "failure":
        this.#countFailure(question.address, now, () => reply({}));
        return;
      case "spend":
        reply(this.#points.spend(question.cid, question.points, question.at));
        return;
    }
  }

  #window(limit: RequestLimit, key: string, now: Instant): LeasedWindow {
    const windows = this.#windows[limit];
    let window = windows.get(key);
    if (window === undefined) {
      makeRoom(windows, (each) => {
        if (each.waiting.length > 0) return "in use";
        return isOver(each.endsAt, now) ? "ended" : "current";
      });
      window = { granted: 0, endsAt: 0, holders: new Map(), waiting: [], recalls: 0 };
      windows.set(key, window);
    } else if (isOver(window.endsAt, now)) {
      renew(windows, key, window);
    }
    this.#renew(window, now);
    return window;
  }

  #renew(window: LeasedWindow, now: Instant): void {
    if (!isOver(window.endsAt, now)) return;
    window.granted = 0;
    window.endsAt = now + windowMilliseconds;
    window.holders.clear();
  }

  /** Grants leases to waiting workers. If nothing is left for one of them, recalls the other leases first. */
  #serve(limit: RequestLimit, key: string, window: LeasedWindow): void {
    this.#renew(window, this.#clock.now().getTime());
    for (let next = window.waiting[0]; next !== undefined; next = window.waiting[0]) {
      const left = this.#limits[limit] - window.granted;
      if (left === 0 && this.#recall(limit, key, window, next.member)) return;
      window.waiting.shift();
      const share = Math.floor(left / (4 * Math.max(1, this.#members.size)));
      const granted = Math.min(left, Math.max(next.requested, Math.min(share, largestLease)));
      window.granted += granted;
      const elsewhere = [...window.holders.values()].reduce((sum, leased) => sum + leased, 0);
      if (granted > 0) window.holders.set(next.member, granted);
      next.reply({ granted, left: left - granted + elsewhere, endsAt: window.endsAt });
    }
  }

  /** Requests the unused rest from the other holders. Returns false if there are none. */
  #recall(limit: RequestLimit, key: string, window: LeasedWindow, asker: Member): boolean {
    const holders = [...window.holders.keys()].filter((member) => member !== asker);
    window.recalls = holders.length;
    for (const member of holders) {
      member.ask<Unspent>({ kind: "recall", limit, key }, (returned) => {
        takeBack(window, member, returned ?? { unspent: 0, endsAt: 0 });
        window.recalls -= 1;
        if (window.recalls === 0) this.#serve(limit, key, window);
      });
    }
    return holders.length > 0;
  }

  /**
   * The worker's answer waits until all workers refuse the address, so that the next guess is refused
   * everywhere.
   */
  #countFailure(address: string, now: Instant, done: () => void): void {
    const { remaining, allowed } = this.#failures.take(address, now);
    const window = this.#failures.current(address, now);
    if (!allowed || remaining > 0 || window === null) {
      done();
      return;
    }
    const block = { address, endsAt: window.endsAt };
    let unaware = this.#members.size;
    for (const member of this.#members) {
      member.ask({ kind: "block", block }, () => {
        unaware -= 1;
        if (unaware === 0) done();
      });
    }
  }
}

/** Requests returned from an earlier window do not count. */
function takeBack(window: LeasedWindow, member: Member, { unspent, endsAt }: Unspent): void {
  window.holders.delete(member);
  if (endsAt === window.endsAt) window.granted -= unspent;
}
