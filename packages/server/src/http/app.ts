import { randomUUID } from "node:crypto";
import { servedDocument, type ServedOperation } from "@security-platform/spec";
import underPressure from "@fastify/under-pressure";
import { fastify, type FastifyInstance, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Authorizations } from "../access/authorize.ts";
import type { Context } from "../context.ts";
import { Faults } from "../control/faults.ts";
import { errors } from "../errors.ts";
import { Authenticator } from "./authenticate.ts";
import { parseForm, parseJson } from "./body.ts";
import { answerBrokenRequest } from "./broken-request.ts";
import { routeControl } from "./control.ts";
import { routeFileLinks } from "./file-links.ts";
import { serveDocs } from "./docs.ts";
import { asApiError } from "./error-handler.ts";
import { Gates } from "./gates.ts";
import { logFailure, sendError } from "./request.ts";
import type { Observer } from "./operation-route.ts";
import { routeOperations, type Handlers } from "./route-operations.ts";

export interface AppOptions {
  readonly observe?: Observer | undefined;
  /** Default: the operations of the document. */
  readonly operations?: readonly ServedOperation[];
  /** What operations require of users besides their scopes. Default: nothing. */
  readonly authorizations?: Authorizations;
}

/** The HTTP server over a context: a route for each operation, and the docs. Not listening yet. */
export async function createApp(
  context: Context,
  handlers: Handlers,
  { observe, operations = servedDocument().operations, authorizations = {} }: AppOptions = {},
): Promise<FastifyInstance> {
  const { limits } = context.config;
  const app = fastify({
    genReqId: () => randomUUID(),
    frameworkErrors: (thrown, request, reply) =>
      void sendError(
        request,
        reply,
        asApiError(thrown, request.id, limits.bodyBytes, [], undefined),
      ),
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
  const faults = new Faults(context.clock);
  const gates = new Gates(context);
  await routeOperations(
    app,
    context,
    operations,
    { handlers, authorizations },
    {
      authenticator: new Authenticator(context),
      gates,
      faults,
      observe,
    },
  );
  routeFileLinks(app, context, gates);
  if (context.config.development) routeControl(app, faults);
  logRequests(app, context.logger);
  answerOtherErrors(app, context);
  if (context.config.docsFolder !== null) await serveDocs(app, context.config.docsFolder);
  return app;
}

function parseBodies(app: FastifyInstance): void {
  const parsers = {
    "application/json": parseJson,
    "application/x-www-form-urlencoded": parseForm,
  };
  app.removeAllContentTypeParsers();
  for (const [mediaType, parse] of Object.entries(parsers)) {
    app.addContentTypeParser(
      mediaType,
      { parseAs: "buffer" },
      async (_request: FastifyRequest, body: Buffer) => parse(body),
    );
  }
}

/** Logs one line for each request, after its response. */
function logRequests(app: FastifyInstance, logger: Logger): void {
  if (!logger.isLevelEnabled("info")) return;
  app.addHook("onResponse", (request, reply, done) => {
    logger.info(
      {
        trace_id: request.id,
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

/** Errors outside any operation. */
function answerOtherErrors(app: FastifyInstance, { config, logger }: Context): void {
  app.setErrorHandler((thrown, request, reply) => {
    const mediaType = request.headers["content-type"];
    const error = asApiError(thrown, request.id, config.limits.bodyBytes, [], mediaType);
    logFailure(logger, request.id, thrown, error);
    return sendError(request, reply, error);
  });
}
