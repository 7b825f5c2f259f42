import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../calls/context.ts";
import { asApiError } from "./responses/error-handler.ts";
import { logFailure, sendError } from "./request.ts";
import { logWhenSent } from "./responses/request-log.ts";

type OtherErrors = Pick<Context, "logger" | "config">;

/** Media types of the control plane. Nothing else outside of operations reads a body. */
const accepted = ["application/json"];

/** Responds to an error outside of all operations: an unknown path, the docs, the control plane. */
export function answerOtherError(
  { logger, config }: OtherErrors,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const mediaType = request.headers["content-type"];
  const error = asApiError(thrown, request.id, accepted, mediaType);
  logFailure(logger, request.id, thrown, error);
  return sendError(request, reply, error, config);
}

export function answerOtherErrors(app: FastifyInstance, context: OtherErrors): void {
  app.setErrorHandler((thrown, request, reply) =>
    answerOtherError(context, thrown, request, reply),
  );
}

/** Responds to errors for which the framework finds no route and runs no hook. */
export const frameworkErrors =
  (context: OtherErrors) =>
  (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    request.arrivedAt = performance.now();
    logWhenSent(context.logger, request, reply);
    void answerOtherError(context, thrown, request, reply);
  };
