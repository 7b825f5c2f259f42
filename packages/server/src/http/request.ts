import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { ServerConfig } from "../config.ts";
import type { ApiError } from "../errors.ts";
import { representError, type Meta } from "./represent.ts";

/** What every Envelope tells of its request; the request's id is its trace id. */
export const requestMeta = (request: FastifyRequest): Meta => ({
  traceId: request.id,
  elapsed: performance.now() - request.arrivedAt,
});

const authority = /^[\w.~-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

/** Where callers reach the server. What a caller calls it goes into the caller's own answer only. */
export function originOf(
  { headers, protocol }: FastifyRequest,
  { publicUrl, host, port }: Pick<ServerConfig, "publicUrl" | "host" | "port">,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const named = headers.host !== undefined && authority.test(headers.host);
  return `${protocol}://${named ? headers.host : `${host}:${port}`}`;
}

/** The headers of every answer. */
export function addCommonHeaders(headers: Record<string, string>, traceId: string): void {
  headers["x-trace-id"] = traceId;
  headers["cache-control"] = "no-store";
  headers["x-content-type-options"] = "nosniff";
}

/** Answers a request that belongs to no operation with an error. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
): FastifyReply {
  const { headers, body } = representError(error, requestMeta(request));
  addCommonHeaders(headers, request.id);
  return reply.code(error.status).headers(headers).send(body);
}

/** The caller learns the trace id of a failure; its cause stays here. */
export function logFailure(
  logger: Logger,
  traceId: string,
  thrown: unknown,
  error: ApiError,
): void {
  if (error.status >= 500 && error !== thrown)
    logger.error({ err: thrown, trace_id: traceId }, "request failed");
}
