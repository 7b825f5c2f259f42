import type { FastifyRequest } from "fastify";
import type { Context } from "../../calls/context.ts";
import { errors } from "../../foundation/errors.ts";
import type { Refusals } from "../../foundation/meters.ts";
import type { Awaitable } from "../../foundation/awaitable.ts";
import type { Caller } from "../../calls/call.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Allowance } from "../../limits/window.ts";
import { addressKey } from "./client-address.ts";

/** The request limits of the server, and the headers that report them. */
export class RateLimits {
  readonly #limits: Limits;
  readonly #refused: Refusals["limits"] | undefined;

  /** `refused`: counts the refusals. */
  constructor({ limits }: Context, refused?: Refusals["limits"]) {
    this.#limits = limits;
    this.#refused = refused;
  }

  /** Applies the limit by address to a request that needs no token. */
  async admitAddress(request: FastifyRequest): Promise<void> {
    const key = addressKey(request.ip);
    this.#admit(
      request,
      "tokens",
      await this.#limits.take("tokenRequestsPerMinute", key, request.now),
    );
  }

  /** Counts the request for its tenant, and refuses it if the limit is exceeded. */
  admitCaller(request: FastifyRequest, { cid }: Pick<Caller, "cid">): Awaitable<void> {
    const allowance = this.#limits.take("requestsPerMinute", cid, request.now);
    if (allowance instanceof Promise) {
      return allowance.then((counted) => this.#admit(request, "requests", counted));
    }
    this.#admit(request, "requests", allowance);
  }

  /**
   * Counts a refused credential for its address. Beyond the limit it throws 429 instead, so valid credentials
   * of the same address are never refused.
   */
  async countFailure(request: FastifyRequest): Promise<void> {
    const blocked = await this.#limits.countFailure(addressKey(request.ip), request.now);
    if (blocked === null) return;
    this.#note("failures");
    throw errors.rateLimited("too many failed authentications", blocked.seconds, blocked.until);
  }

  addHeaders(headers: Record<string, string>, { allowance }: FastifyRequest): void {
    if (allowance === null) return;
    headers["x-ratelimit-limit"] = String(allowance.limit);
    headers["x-ratelimit-remaining"] = String(allowance.remaining);
  }

  #admit(
    request: FastifyRequest,
    counted: keyof Refusals["limits"],
    allowance: Allowance | null,
  ): void {
    if (allowance === null) return;
    request.allowance = allowance;
    if (allowance.allowed) return;
    this.#note(counted);
    const { limit, seconds, until } = allowance;
    throw errors.rateLimited(`${limit} requests a minute`, seconds, until);
  }

  #note(limit: keyof Refusals["limits"]): void {
    if (this.#refused !== undefined) this.#refused[limit] += 1;
  }
}
