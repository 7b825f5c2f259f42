import { createHash, randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { Readable } from "node:stream";
import { servedDocument, type ServedOperation } from "@security-platform/spec";
import {
  fastify,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
} from "fastify";
import type { Authorizations } from "../access/authorize.ts";
import type { ServerLimits } from "../foundation/config.ts";
import { otherRequests, type Meters, type RequestMeter } from "../foundation/meters.ts";
import type { Context } from "../calls/context.ts";
import type { Awaitable } from "../foundation/awaitable.ts";
import type { LinkKind } from "../calls/handler.ts";
import { markArrivals } from "./requests/arrival.ts";
import { Authenticator } from "./requests/authenticate.ts";
import { BodyMemory } from "./bodies/body-memory.ts";
import { memoryForBodies, memoryForResponses } from "./memory-limits.ts";
import { ResponseMemory } from "./responses/response-memory.ts";
import { parseForm, parseJson, withOffset } from "./bodies/parse-body.ts";
import { Compression } from "./compat/compression.ts";
import type { Connections } from "./connections/connections.ts";
import { isControl, type ControlParts } from "./control/parts.ts";
import { allowOrigins } from "./cors.ts";
import { isHealthCheck, routeHealth } from "./routes/health.ts";
import { routeFileLinks } from "./routes/file-links.ts";
import { parameterCharacters } from "./responses/error-handler.ts";
import { keyOf, IdempotencyKeys } from "./requests/idempotency.ts";
import { RateLimits } from "./requests/rate-limits.ts";
import { answerOtherErrors, frameworkErrors } from "./other-errors.ts";
import { receiveBody } from "./bodies/receive-body.ts";
import { logRequests } from "./responses/request-log.ts";
import type { RequestTracer } from "./requests/request-tracer.ts";
import type { Observer, RouteParts } from "./routes/route-parts.ts";
import { heavyBody, RequestTurns, waitingLimits } from "./requests/request-turns.ts";
import { routeOperations, type Handlers } from "./routes/route-operations.ts";
import { JsonScan } from "../validation/json-text.ts";

export type App = FastifyInstance;

export interface AppOptions {
  readonly observe?: Observer | undefined;
  /** Default: the operations of the documents. The configuration can exclude the companion's. */
  readonly operations?: readonly ServedOperation[];
  /** What operations require of users in addition to their scopes. Default: nothing. */
  readonly authorizations?: Authorizations;
  /** Aborted before the server stops. Default: when it stops. */
  readonly stopping?: AbortController;
  /** Default: none. Requests are injected. */
  readonly connections?: Connections | undefined;
  /** Adds further pages. */
  readonly addPages?: ((app: App) => Promise<void>) | undefined;
  /** Observes and controls requests. Default: nothing does. */
  readonly control?: ControlParts | undefined;
  /** Counts requests. Default: nothing does. */
  readonly meters?: Meters | undefined;
  /** Traces requests. Default: nothing does. */
  readonly tracer?: RequestTracer | undefined;
  /** Kinds of pre-signed URLs in addition to those of blobs. Default: none. */
  readonly links?: readonly LinkKind[];
}

/** Creates the HTTP server over a context, with a route for each operation. The server does not listen yet. */
export async function createApp(
  context: Context,
  handlers: Handlers,
  {
    observe,
    operations = servedOperations(context),
    authorizations = {},
    links = [],
    stopping = new AbortController(),
    connections,
    addPages,
    control,
    meters,
    tracer,
  }: AppOptions = {},
): Promise<App> {
  const { limits, trustedProxies = [], corsOrigins = [], compat } = context.config;
  const app = fastify({
    genReqId: () => randomUUID(),
    frameworkErrors: frameworkErrors(context),
    exposeHeadRoutes: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: limits.bodyBytes,
    return503OnClosing: false,
    routerOptions: { maxParamLength: parameterCharacters },
    schemaController: { compilersFactory: noCompilers },
    ...connections?.options,
  } as FastifyHttpOptions<Server>) as unknown as App;
  connections?.attach(app, stopping.signal);
  // This comes before all routes, because a route keeps the handler that exists at its creation.
  answerOtherErrors(app, context);
  markArrivals(app);
  control?.journal.attach(app);
  allowOrigins(app, corsOrigins);
  const memory = new BodyMemory(memoryForBodies(limits));
  const turns = new RequestTurns(limits, connections === undefined ? null : waitingLimits(limits));
  parseBodies(app, limits, { memory, turns });
  endEmptyBodies(app);
  connections?.refuseWhenOverloaded(
    app,
    (request) => isHealthCheck(request) || isControl(request),
    () => {
      if (meters !== undefined) meters.refusals.overload += 1;
    },
  );
  if (meters !== undefined) {
    meters.turns = turns.loads;
    countOtherRequests(app, meters.operation(otherRequests));
  }
  const rateLimits = new RateLimits(context, meters?.refusals.limits);
  await routeOperations(
    app,
    context,
    operations,
    { handlers, authorizations },
    {
      authenticator: new Authenticator(context),
      rateLimits,
      idempotencyKeys: new IdempotencyKeys(context),
      memory,
      turns,
      responses:
        connections === undefined ? undefined : new ResponseMemory(memoryForResponses(limits)),
      control,
      meters,
      tracer,
      observe,
      compression: compat ? new Compression() : undefined,
    },
  );
  routeFileLinks(app, context, rateLimits, links);
  routeHealth(app, context, stopping);
  logRequests(app, context.logger);
  await addPages?.(app);
  return app;
}

/**
 * The routes validate and serialize by themselves. Without these, Fastify loads its compilers of schemas, which takes
 * a quarter of the time that it needs to start.
 */
const noCompilers = {
  buildValidator: noSchemas,
  buildSerializer: noSchemas,
};

function noSchemas(): never {
  throw new Error("routes have no schemas of Fastify");
}

/** Routes of operations count their requests themselves. */
function countOtherRequests(app: FastifyInstance, meter: RequestMeter): void {
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (request.routeOptions.config.isOperation !== true) {
      meter.observe(reply.statusCode, performance.now() - request.arrivedAt);
    }
    done();
  });
}

const servedOperations = ({ config }: Context): readonly ServedOperation[] =>
  servedDocument().operations.filter(
    ({ document }) => document === "platform" || config.companion !== false,
  );

/** Fastify reads a body through stream events. A stream that is ended from the start emits none. */
function endEmptyBodies(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if ([route.method].flat().every((method) => method === "GET" || method === "HEAD")) return;
    route.preParsing = (request, _reply, payload, done) =>
      done(null, request.raw.readableEnded ? Readable.from([]) : payload);
  });
}

/** Reads one body. */
interface BodyParser {
  /** Sees each part of the body on arrival. Throws to refuse the body without its rest. */
  readonly inspect: (part: Uint8Array) => void;
  readonly parse: (parts: readonly Uint8Array[]) => Awaitable<unknown>;
}

/** Parsers by media type. */
const parsers: Readonly<Record<string, (mostValues: number) => BodyParser>> = {
  "application/json": (mostValues) => {
    const scan = new JsonScan(mostValues);
    return {
      inspect: (part) => withOffset(() => scan.add(part)),
      parse: (parts) => parseJson(parts, scan.cuts),
    };
  },
  "application/x-www-form-urlencoded": () => ({
    inspect: () => undefined,
    parse: (parts) => parseForm(Buffer.concat(parts)),
  }),
};

function parseBodies(
  app: FastifyInstance,
  limits: ServerLimits,
  { memory, turns }: Pick<RouteParts, "memory" | "turns">,
): void {
  app.removeAllContentTypeParsers();
  for (const [mediaType, createParser] of Object.entries(parsers)) {
    app.addContentTypeParser(mediaType, async (request: FastifyRequest, payload: Readable) => {
      const { bodyLimit, config } = request.routeOptions;
      const share = memory.share(request.caller === null);
      const hash = keyOf(request) === undefined ? null : createHash("sha256");
      request.bodyHash = hash;
      const { inspect, parse } = createParser(Math.max(limits.bodyValues, config.mostValues ?? 0));
      try {
        const parts = await receiveBody(payload, {
          limit: bodyLimit,
          announced: request.headers["content-length"],
          share,
          inspect: (part) => {
            hash?.update(part);
            inspect(part);
          },
        });
        if (parts.length === 0 && config.needsBody !== true) return undefined;
        request.bodyBytes = bytesIn(parts);
        if (request.bodyBytes < heavyBody) return await parse(parts);
        return await turns.run(request, "heavy", async () => parse(parts));
      } finally {
        share.release();
      }
    });
  }
}

const bytesIn = (parts: readonly Uint8Array[]): number =>
  parts.reduce((bytes, part) => bytes + part.length, 0);
