import type { ServerLimits } from "../foundation/config.ts";
import type { Limits, RequestLimit } from "./limits.ts";
import type { Channel, Count, CountReply, CountRequest } from "./messages.ts";
import { PointBudget, type Spending } from "./points.ts";
import type { Allowance } from "./window.ts";

/**
 * The limits of one of several workers. A `LimitKeeper` counts for all of them, so a limit is exact, whichever
 * worker a connection leads to. Each count is a message and a reply, about 10 microseconds of processor time in
 * either process.
 */
export class SharedLimits implements Limits {
  readonly #limits: ServerLimits;
  readonly #channel: Channel;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #lastNumber = 0;
  #closed = false;

  constructor(channel: Channel, limits: ServerLimits) {
    this.#channel = channel;
    this.#limits = limits;
    channel.onMessage((message) => {
      const { number, result } = message as CountReply;
      this.#waiting.get(number)?.(result);
      this.#waiting.delete(number);
    });
    channel.onClose(() => {
      this.#closed = true;
      for (const resolve of this.#waiting.values()) resolve(null);
      this.#waiting.clear();
    });
  }

  async take(limit: RequestLimit, key: string): Promise<Allowance | null> {
    if (this.#limits[limit] === 0) return null;
    return this.#ask<Allowance>({ kind: "request", limit, key });
  }

  async countFailure(address: string): Promise<Allowance | null> {
    if (this.#limits.failedAuthenticationsPerMinute === 0) return null;
    return this.#ask<Allowance>({ kind: "failure", address });
  }

  async spend(cid: string, points: number, now: Date): Promise<Spending> {
    const spending = await this.#ask<Spending>({ kind: "points", cid, points });
    return spending ?? new PointBudget().spend(cid, points, now.getTime());
  }

  /** Resolves with null if the keeper is gone. Then the worker will also stop soon, and finishes its requests. */
  #ask<Result>(count: Count): Promise<Result | null> {
    return new Promise((resolve) => {
      if (this.#closed) {
        resolve(null);
        return;
      }
      this.#lastNumber += 1;
      const request: CountRequest = { number: this.#lastNumber, count };
      this.#waiting.set(request.number, resolve as (result: unknown) => void);
      this.#channel.send(request);
    });
  }
}
