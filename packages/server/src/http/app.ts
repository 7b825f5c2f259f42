import { operations } from "@security-platform/spec";
import { nearestName } from "@security-platform/fql";
import underPressure from "@fastify/under-pressure";
import { fastify, type FastifyInstance } from "fastify";
import type { Context } from "../context.ts";
import { Faults } from "../control/faults.ts";
import { errors } from "../errors.ts";
import { parseForm, parseJson } from "./body.ts";
import { answerBrokenRequest } from "./broken-request.ts";
import { routeControl } from "./control.ts";
import { serveDocs } from "./docs.ts";
import { asApiError } from "./error-handler.ts";
import { Gates } from "./gates.ts";
import type { OperationHandlers } from "./handler.ts";
import { representError } from "./represent.ts";
import { routeOperations, type Observer } from "./route-operations.ts";

/** The HTTP server over a context: every operation of the document, and the docs. Not listening yet. */
export async function createApp(
  context: Context,
  handlers: OperationHandlers,
  options: { observe?: Observer } = {},
): Promise<FastifyInstance> {
  const { limits } = context.config;
  const app = fastify({
    loggerInstance: context.logger,
    disableRequestLogging: true,
    exposeHeadRoutes: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMilliseconds,
    connectionTimeout: 0,
    keepAliveTimeout: limits.idleMilliseconds,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: answerBrokenRequest,
    http: {
      headersTimeout: Math.min(limits.requestMilliseconds, 15_000),
      connectionsCheckingInterval: Math.max(50, Math.min(1_000, limits.requestMilliseconds / 4)),
    },
  });
  app.server.maxConnections = limits.connections;
  parseBodies(app);
  await app.register(underPressure, {
    maxEventLoopDelay: limits.overloadMilliseconds,
    pressureHandler: () => {
      throw errors.overloaded(1);
    },
  });
  const faults = new Faults();
  routeOperations(app, context, { gates: new Gates(context), faults, handlers, ...options });
  if (context.config.development) routeControl(app, faults);
  logRequests(app);
  answerEverythingElse(app, limits.bodyBytes);
  if (context.config.docsFolder !== null) await serveDocs(app, context.config.docsFolder);
  return app;
}

function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request, body) =>
    parseJson(body as Buffer),
  );
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer" },
    async (_request, body) => parseForm(body as Buffer),
  );
}

/** One line a request, after its answer is out. */
function logRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info(
      {
        trace_id: request.traceId,
        method: request.method,
        path: request.url.split("?", 1)[0],
        status: reply.statusCode,
        ms: Math.round((performance.now() - request.arrivedAt) * 100) / 100,
        ...(request.caller === null
          ? {}
          : { cid: request.caller.cid, client_id: request.caller.clientId }),
      },
      "request",
    );
    done();
  });
}

/** Unknown paths, and errors outside any operation. */
function answerEverythingElse(app: FastifyInstance, bodyBytes: number): void {
  const paths = [...new Set(operations().map(({ path }) => path))];
  app.setNotFoundHandler((request) => {
    const path = request.url.split("?", 1)[0] ?? "/";
    throw errors.unknownPath(path, nearestName(path, paths));
  });
  app.setErrorHandler((thrown, request, reply) => {
    const error = asApiError(thrown, request.traceId, bodyBytes, [], request.headers["content-type"]);
    if (error.status === 500) {
      request.log.error({ err: thrown, trace_id: request.traceId }, "request failed");
    }
    const elapsed = performance.now() - request.arrivedAt;
    const { headers, body } = representError(error, { traceId: request.traceId, elapsed });
    return reply
      .code(error.status)
      .headers({
        ...headers,
        "x-trace-id": request.traceId,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      })
      .send(body);
  });
}
