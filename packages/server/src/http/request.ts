import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { PlatformConfig } from "../foundation/config.ts";
import type { ApiError } from "../foundation/errors.ts";
import { publicPrefix, withoutLastSlash } from "./public-prefix.ts";
import { addHelp } from "./responses/help-link.ts";
import { representError, type Meta, type Representation } from "./responses/represent.ts";

/** The `meta` of an Envelope; the request's id is its trace id. */
export const requestMeta = (request: FastifyRequest): Meta => ({
  traceId: request.id,
  elapsed: performance.now() - request.arrivedAt,
});

const authority = /^[\w.~-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

/**
 * The base URL at which callers reach the server, without a slash at its end. `X-Forwarded-Host`, `-Proto` and `-Prefix`
 * of a trusted proxy take precedence over `Host`. `Host` is only used in the response to its sender.
 */
export function baseUrlOf(request: FastifyRequest, config: PlatformConfig): string {
  const { publicUrl, authority: own = "localhost" } = config;
  if (publicUrl !== undefined) return withoutLastSlash(publicUrl);
  const { host, protocol } = request;
  const scheme = protocol === "https" ? "https" : "http";
  const known = authority.test(host) ? host : own;
  return `${scheme}://${known}${publicPrefix(request, config)}`;
}

/** The headers of every response. */
export function addCommonHeaders(headers: Record<string, string>, traceId: string): void {
  headers["x-trace-id"] = traceId;
  headers["cache-control"] = "no-store";
  headers["x-content-type-options"] = "nosniff";
}

/**
 * An error with its link to the guide. `succeeds`: whether existing clients get it with the status and members of a
 * success.
 */
export function representFailure(
  request: FastifyRequest,
  error: ApiError,
  config: PlatformConfig,
  succeeds = false,
): Representation {
  const failure = representError(error, requestMeta(request), succeeds);
  if (!succeeds) addHelp(failure.headers, error, config, request);
  return failure;
}

/** Responds with an error to a request outside of all operations. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  config: PlatformConfig,
): FastifyReply {
  const { headers, body } = representFailure(request, error, config);
  addCommonHeaders(headers, request.id);
  return reply.code(error.status).headers(headers).send(body);
}

/** Logs the cause of a failure. The caller receives only the trace id. */
export function logFailure(
  logger: Logger,
  traceId: string,
  thrown: unknown,
  error: ApiError,
): void {
  if (error.status >= 500 && error !== thrown)
    logger.error({ err: thrown, trace_id: traceId }, "request failed");
}
