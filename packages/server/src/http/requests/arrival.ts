import type { Hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../../calls/call.ts";
import type { KeyedRequest } from "../../store/index.ts";
import type { Allowance } from "../../limits/window.ts";
import { messageError } from "./request-message.ts";
import { targetError } from "./request-target.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether an empty body is refused as malformed. Absent: an empty body is ignored. */
    needsBody?: boolean;
    /** Maximum number of JSON values in the body, if more than usual. */
    mostValues?: number;
    /** Whether the route belongs to an operation. */
    isOperation?: boolean;
  }
  interface FastifyRequest {
    /** A time of `performance.now()`. */
    arrivedAt: number;
    /** The time of the request, from the injected clock. */
    now: Date;
    caller: Caller | null;
    /** The state of the limit that counted the request, if any. */
    allowance: Allowance | null;
    /** The places of members that a server for existing clients ignores. */
    ignoredMembers: string | null;
    /** The hash of a body that is not a form; only with an idempotency key. */
    bodyHash: Hash | null;
    /** Set while a request with an idempotency key is in progress. */
    keyed: KeyedRequest | null;
    /** Size of a body that is not a form. */
    bodyBytes: number;
  }
}

/**
 * Records the arrival of a request. Refuses a request that cannot be read, or that two servers may read
 * differently. This hook comes before all others.
 */
export function markArrivals(app: FastifyInstance): void {
  app.decorateRequest("arrivedAt", 0);
  app.decorateRequest("now");
  app.decorateRequest("caller", null);
  app.decorateRequest("allowance", null);
  app.decorateRequest("ignoredMembers", null);
  app.decorateRequest("bodyHash", null);
  app.decorateRequest("keyed", null);
  app.decorateRequest("bodyBytes", 0);
  app.addHook("onRequest", (request, reply, done) => {
    request.arrivedAt = performance.now();
    const ambiguity = messageError(request.raw);
    if (ambiguity !== null) reply.raw.shouldKeepAlive = false;
    const refused = ambiguity ?? targetError(request.url);
    if (refused === null) done();
    else done(refused);
  });
}
