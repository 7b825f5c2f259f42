import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../calls/context.ts";
import { ApiError, errors } from "../../foundation/errors.ts";
import type { Readiness } from "../../store/index.ts";
import { bareForm, represent } from "../responses/represent.ts";
import { addCommonHeaders, requestMeta } from "../request.ts";

const paths = { alive: "/healthz", ready: "/readyz" };
/** Time to wait for the database: longer than a healthy one needs, and shorter than load balancers wait. */
const patienceMilliseconds = 2_000;
const retrySeconds = 5;

/** Whether a request checks the health of the server. Neither limits nor overload refuse such a request. */
export const isHealthCheck = ({ url }: FastifyRequest): boolean =>
  Object.values(paths).includes(url.split("?", 1)[0] ?? "");

/**
 * `/healthz`: the process responds. `/readyz`: the server can handle requests, because the database responds,
 * accepts writes and has the tables of this version. 503 otherwise, and while the server stops.
 */
export function routeHealth(
  app: FastifyInstance,
  context: Context,
  stopping: AbortController,
): void {
  app.addHook("preClose", (done) => {
    stopping.abort();
    done();
  });
  const method = ["GET", "HEAD"];
  app.route({ method, url: paths.alive, handler: (request, reply) => sendHealthy(request, reply) });
  app.route({
    method,
    url: paths.ready,
    handler: async (request, reply) => {
      if (stopping.signal.aborted) throw notReady("the server is stopping");
      await requireReady(context);
      const { storage } = context;
      return sendHealthy(
        request,
        reply,
        storage === null ? [] : [{ storage: await storage.state() }],
      );
    },
  });
}

const reasons: Readonly<Record<Exclude<Readiness, "ready">, string>> = {
  "read-only": "the database accepts no writes; its address may lead to a standby",
  outdated: "the database does not have the tables of this version",
};

const notReady = (reason: string) => errors.unavailable(reason, retrySeconds);

async function requireReady({ store, logger }: Context): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const impatience = new Promise<never>((_resolve, reject) => {
    const error = notReady(`the database did not respond in ${patienceMilliseconds} ms`);
    timer = setTimeout(() => reject(error), patienceMilliseconds);
  });
  try {
    const readiness = await Promise.race([store.ready(), impatience]);
    if (readiness !== "ready") throw notReady(reasons[readiness]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    logger.warn({ err: error }, "the server is not ready");
    throw notReady("the database does not respond");
  } finally {
    clearTimeout(timer);
  }
}

/** `details`: the entries of `resources`. */
function sendHealthy(
  request: FastifyRequest,
  reply: FastifyReply,
  details: readonly object[] = [],
): FastifyReply {
  const page = { url: request.url, cursorParameter: "" };
  const { headers, body } = represent(
    { kind: "envelope", resources: details },
    bareForm,
    requestMeta(request),
    page,
  );
  addCommonHeaders(headers, request.id);
  return reply.code(200).headers(headers).send(body);
}
