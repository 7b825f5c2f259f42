import type { FastifyRequest } from "fastify";
import type { ServedOperation } from "@security-platform/spec";
import type { Context } from "../context.ts";
import { errors } from "../errors.ts";
import type { Caller } from "../call.ts";
import type { Limits } from "../limits/limits.ts";
import type { Allowance } from "../limits/window.ts";
import { addressKey } from "./client-address.ts";

/** The request limits of the server, and the headers that report them. */
export class Gates {
  readonly #limits: Limits;

  constructor({ limits }: Context) {
    this.#limits = limits;
  }

  /** Applies the limit by address to operations that need no token. */
  admitAddress(request: FastifyRequest, operation: ServedOperation): Promise<void> | undefined {
    if (operation.scope !== null) return undefined;
    const key = addressKey(request.ip);
    return this.#admit(request, this.#limits.take("tokenRequestsPerMinute", key, request.now));
  }

  /** Counts the request for its tenant, and refuses it if the limit is exceeded. */
  admitCaller(request: FastifyRequest, { cid }: Pick<Caller, "cid">): Promise<void> | undefined {
    return this.#admit(request, this.#limits.take("requestsPerMinute", cid, request.now));
  }

  /**
   * Counts a refused credential for its address. Beyond the limit it throws 429 instead, so valid credentials
   * of the same address are never refused. A returned promise resolves when every process has counted it.
   */
  countFailure(request: FastifyRequest): Promise<void> | undefined {
    const key = addressKey(request.ip);
    const blocked = this.#limits.blocked(key, request.now);
    if (blocked === null) return this.#limits.countFailure(key, request.now);
    throw errors.rateLimited("too many failed authentications", blocked.seconds, blocked.until);
  }

  addHeaders(headers: Record<string, string>, { allowance }: FastifyRequest): void {
    if (allowance === null) return;
    headers["x-ratelimit-limit"] = String(allowance.limit);
    headers["x-ratelimit-remaining"] = String(allowance.remaining);
  }

  #admit(
    request: FastifyRequest,
    allowance: Allowance | Promise<Allowance> | null,
  ): Promise<void> | undefined {
    if (allowance instanceof Promise) {
      return allowance.then((found) => this.#require(request, found));
    }
    return allowance === null ? undefined : this.#require(request, allowance);
  }

  #require(request: FastifyRequest, allowance: Allowance): undefined {
    request.allowance = allowance;
    if (allowance.allowed) return;
    const { limit, seconds, until } = allowance;
    throw errors.rateLimited(`${limit} requests a minute`, seconds, until);
  }
}
