import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { ApiError } from "../errors.ts";
import { representError, type Meta } from "./represent.ts";

/** What every Envelope tells of its request; the request's id is its trace id. */
export const requestMeta = (request: FastifyRequest): Meta => ({
  traceId: request.id,
  elapsed: performance.now() - request.arrivedAt,
});

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
