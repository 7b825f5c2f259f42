import type { FastifyRequest } from "fastify";
import type { Context } from "../../calls/context.ts";
import { errors } from "../../foundation/errors.ts";
import type { Awaitable } from "../../foundation/awaitable.ts";
import type { Caller } from "../../calls/call.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Allowance } from "../../limits/window.ts";
import { addressKey } from "./client-address.ts";

/** The request limits of the server, and the headers that report them. */
export class RateLimits {
  readonly #limits: Limits;

  constructor({ limits }: Context) {
    this.#limits = limits;
  }

  /** Applies the limit by address to a request that needs no token. */
  async admitAddress(request: FastifyRequest): Promise<void> {
    const key = addressKey(request.ip);
    admit(request, await this.#limits.take("tokenRequestsPerMinute", key, request.now));
  }

  /** Counts the request for its tenant, and refuses it if the limit is exceeded. */
  admitCaller(request: FastifyRequest, { cid }: Pick<Caller, "cid">): Awaitable<void> {
    const allowance = this.#limits.take("requestsPerMinute", cid, request.now);
    if (allowance instanceof Promise) return allowance.then((counted) => admit(request, counted));
    admit(request, allowance);
  }

  /**
   * Counts a refused credential for its address. Beyond the limit it throws 429 instead, so valid credentials
   * of the same address are never refused.
   */
  async countFailure(request: FastifyRequest): Promise<void> {
    const blocked = await this.#limits.countFailure(addressKey(request.ip), request.now);
    if (blocked === null) return;
    throw errors.rateLimited("too many failed authentications", blocked.seconds, blocked.until);
  }

  addHeaders(headers: Record<string, string>, { allowance }: FastifyRequest): void {
    if (allowance === null) return;
    headers["x-ratelimit-limit"] = String(allowance.limit);
    headers["x-ratelimit-remaining"] = String(allowance.remaining);
  }
}

function admit(request: FastifyRequest, allowance: Allowance | null): void {
  if (allowance === null) return;
  request.allowance = allowance;
  if (allowance.allowed) return;
  const { limit, seconds, until } = allowance;
  throw errors.rateLimited(`${limit} requests a minute`, seconds, until);
}
