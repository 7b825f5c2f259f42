import type { FastifyInstance } from "fastify";
import type { Caller } from "../call.ts";
import type { Allowance } from "../limits/window.ts";
import { noteResponse } from "./broken-request.ts";
import { messageError } from "./request-message.ts";
import { targetError } from "./request-target.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** An empty body is refused as malformed. Absent: an empty body is ignored. */
    needsBody?: boolean;
  }
  interface FastifyRequest {
    /** `performance.now()`. */
    arrivedAt: number;
    /** Time of the request by the injected clock. */
    now: Date;
    caller: Caller | null;
    /** State of the limit that the request counted against, if any. */
    allowance: Allowance | null;
  }
}

/**
 * Notes when a request arrives, and refuses one that cannot be read or that two servers may read
 * differently. Comes before all other hooks.
 */
export function markArrivals(app: FastifyInstance): void {
  app.decorateRequest("arrivedAt", 0);
  app.decorateRequest("now");
  app.decorateRequest("caller", null);
  app.decorateRequest("allowance", null);
  app.addHook("onRequest", (request, reply, done) => {
    request.arrivedAt = performance.now();
    noteResponse(reply.raw);
    const ambiguity = messageError(request.raw);
    if (ambiguity !== null) reply.raw.shouldKeepAlive = false;
    const refused = ambiguity ?? targetError(request.url);
    if (refused === null) done();
    else done(refused);
  });
  // An expectation that the server does not know may be ignored (RFC 9110 §10.1.1).
  app.server.on("checkExpectation", (request, response) => {
    app.server.emit("request", request, response);
  });
}
