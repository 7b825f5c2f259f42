import type { FastifyInstance } from "fastify";
import { isLoopbackOrigin } from "./loopback.ts";

/** Response headers of the document. A browser hides all other headers from a page of another origin. */
export const exposedHeaders: readonly string[] = [
  "Accept-Ranges",
  "Content-Disposition",
  "Content-Range",
  "Deprecation",
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Retry-After",
  "WWW-Authenticate",
  "X-Affected-Count",
  "X-Ignored-Members",
  "X-Pagination-After",
  "X-Pagination-Limit",
  "X-Pagination-Offset",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-RetryAfter",
  "X-Scan-Ticket",
  "X-Skipped-Items",
  "X-Total-Count",
  "X-Trace-Id",
];

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** Time in seconds for which a browser may cache the response to a preflight. */
const preflightSeconds = 600;
const headerNames = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{0,1000}$/;

/**
 * Lets pages of the given origins call the server (the Fetch standard's CORS protocol). `*`: all origins;
 * `loopback`: origins on this machine. The server uses no cookies, so credentials are not allowed.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const everyone = origins.includes("*");
  const isAllowed = (origin: string): boolean =>
    everyone ||
    origins.includes(origin) ||
    (origins.includes("loopback") && isLoopbackOrigin(origin));
  app.addHook("onRequest", (request, reply, done) => {
    // Uses the raw response, because most responses are written without the framework.
    const { raw } = reply;
    if (!everyone) raw.setHeader("vary", "Origin");
    const { origin } = request.headers;
    if (origin === undefined || !isAllowed(origin)) {
      done();
      return;
    }
    raw.setHeader("access-control-allow-origin", everyone ? "*" : origin);
    const isPreflight =
      request.method === "OPTIONS" &&
      request.headers["access-control-request-method"] !== undefined;
    if (!isPreflight) {
      raw.setHeader("access-control-expose-headers", exposedHeaders.join(", "));
      done();
      return;
    }
    const requested = request.headers["access-control-request-headers"] ?? "";
    void reply
      .code(204)
      .headers({
        "access-control-allow-methods": methods,
        "access-control-max-age": String(preflightSeconds),
        "x-trace-id": request.id,
        ...(requested !== "" && headerNames.test(requested)
          ? { "access-control-allow-headers": requested }
          : {}),
      })
      .send();
  });
}
