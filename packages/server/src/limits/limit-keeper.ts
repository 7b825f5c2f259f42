import type { Clock } from "../foundation/clock.ts";
import type { ServerLimits } from "../foundation/config.ts";
import { LocalLimits } from "./limits.ts";
import type { Channel, Count, CountReply, CountRequest } from "./messages.ts";

/** Counts for all workers of a server, in the process that starts them. */
export class LimitKeeper {
  readonly #limits: LocalLimits;
  readonly #clock: Clock;

  constructor(limits: ServerLimits, clock: Clock) {
    this.#limits = new LocalLimits(limits);
    this.#clock = clock;
  }

  /** Serves a worker until its channel closes. */
  attach(channel: Channel): void {
    channel.onMessage((message) => {
      const { number, count } = message as CountRequest;
      const reply: CountReply = { number, result: this.#count(count) };
      channel.send(reply);
    });
  }

  /** Uses the keeper's clock: with the time of each worker's request, windows would overlap. */
  #count(count: Count): unknown {
    const now = this.#clock.now();
    switch (count.kind) {
      case "request":
        return this.#limits.take(count.limit, count.key, now);
      case "failure":
        return this.#limits.countFailure(count.address, now);
      case "points":
        return this.#limits.spend(count.cid, count.points, now);
    }
  }
}
