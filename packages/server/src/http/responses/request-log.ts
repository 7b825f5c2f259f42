import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";

/** Logs one line for each request, after its response. */
export function logRequests(app: FastifyInstance, logger: Logger): void {
  if (!logger.isLevelEnabled("info")) return;
  app.addHook("onResponse", (request, reply, done) => {
    logRequest(logger, request, reply);
    done();
  });
}

/** Logs a request for which no hook runs, once its response is sent. */
export function logWhenSent(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once("finish", () => logRequest(logger, request, reply));
}

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  logger.info(
    {
      trace_id: request.id,
      method: request.method,
      path: request.url.split("?", 1)[0],
      status: reply.raw.statusCode,
      ms: Math.round((performance.now() - request.arrivedAt) * 100) / 100,
      ...(request.caller === null || request.caller === undefined
        ? {}
        : { cid: request.caller.cid, client_id: request.caller.clientId }),
    },
    "request",
  );
}
