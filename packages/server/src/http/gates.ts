import type { FastifyRequest } from "fastify";
import type { ServedOperation } from "@security-platform/spec";
import type { Context } from "../context.ts";
import { errors, type ApiError } from "../errors.ts";
import type { Caller } from "../call.ts";
import { RateLimiter, type Allowance } from "./rate-limit.ts";

/** Throws 429 for an exhausted allowance. */
export function requireAllowance(allowance: Allowance | null): void {
  if (allowance === null || allowance.allowed) return;
  throw errors.rateLimited(
    `${allowance.limit} requests a minute`,
    allowance.seconds,
    allowance.until,
  );
}

/** The three limits of the server, and the headers that tell of them. */
export class Gates {
  readonly #tenants: RateLimiter | null;
  readonly #tokenRequests: RateLimiter | null;
  readonly #failures: RateLimiter | null;
  readonly #allowances = new WeakMap<FastifyRequest, Allowance>();

  constructor({ config, clock }: Context) {
    const limiter = (limit: number): RateLimiter | null =>
      limit === 0 ? null : new RateLimiter(limit, clock);
    this.#tenants = limiter(config.limits.requestsPerMinute);
    this.#tokenRequests = limiter(config.limits.tokenRequestsPerMinute);
    this.#failures = limiter(config.limits.failedAuthenticationsPerMinute);
  }

  /** Limits that count by address and come before any credentials are looked at. */
  admitAddress(request: FastifyRequest, operation: ServedOperation): void {
    this.admitFailures(request);
    if (operation.scope !== null || this.#tokenRequests === null) return;
    const allowance = this.#tokenRequests.take(request.ip);
    this.#allowances.set(request, allowance);
    requireAllowance(allowance);
  }

  /** Refuses an address from which too many refused credentials came. */
  admitFailures(request: FastifyRequest): void {
    const failures = this.#failures?.peek(request.ip);
    if (failures === undefined || failures.remaining > 0) return;
    throw errors.rateLimited("too many failed authentications", failures.seconds, failures.until);
  }

  /** Counts the request against its tenant. */
  takeRequest(request: FastifyRequest, caller: Pick<Caller, "cid">): Allowance | null {
    const allowance = this.#tenants?.take(caller.cid) ?? null;
    if (allowance !== null) this.#allowances.set(request, allowance);
    return allowance;
  }

  /** A refused credential counts against the address it came from. */
  countFailure(request: FastifyRequest, error: ApiError): void {
    if (error.status === 401) this.countGuess(request);
  }

  countGuess(request: FastifyRequest): void {
    this.#failures?.take(request.ip);
  }

  addHeaders(headers: Record<string, string>, request: FastifyRequest): void {
    const allowance = this.#allowances.get(request);
    if (allowance === undefined) return;
    headers["x-ratelimit-limit"] = String(allowance.limit);
    headers["x-ratelimit-remaining"] = String(allowance.remaining);
  }
}
