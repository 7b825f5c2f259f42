import { operations, type Operation } from "@security-platform/spec";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import type { Faults } from "../control/faults.ts";
import { errors } from "../errors.ts";
import { requireAcceptable, wantsEnvelope } from "./accept.ts";
import { authenticate, basicCredentials } from "./authenticate.ts";
import { requireAction, requirePermission } from "./authorize.ts";
import { asApiError } from "./error-handler.ts";
import { requireAllowance, type Gates } from "./gates.ts";
import type { Answer, Call, Caller, Handler, OperationHandlers } from "./handler.ts";
import { represent, representError, type Representation } from "./represent.ts";
import { addCommonHeaders, logFailure, requestMeta } from "./request.ts";
import { requestReader } from "./validate/request.ts";

/** One request and its answer, as sent; for journals and conformance checks. */
export interface Exchange {
  readonly operation: Operation;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly envelope: boolean;
}

export type Observer = (exchange: Exchange) => void;

declare module "fastify" {
  interface FastifyRequest {
    arrivedAt: number;
    caller: Caller | null;
  }
}

interface RouteParts {
  readonly gates: Gates;
  readonly faults: Faults;
  readonly observe?: Observer | undefined;
}

/** Registers one route for each operation of the document, and 405 for the methods it lacks. */
export function routeOperations(
  app: FastifyInstance,
  context: Context,
  { handlers, ...parts }: RouteParts & { readonly handlers: OperationHandlers },
): void {
  app.decorateRequest("arrivedAt", 0);
  app.decorateRequest("caller", null);
  app.addHook("onRequest", (request, _reply, done) => {
    request.arrivedAt = performance.now();
    done();
  });
  for (const operation of operations()) {
    routeOperation(app, context, operation, handlers[operation.id] as Handler, parts);
  }
  routeOtherMethods(app);
}

function routeOperation(
  app: FastifyInstance,
  context: Context,
  operation: Operation,
  handle: Handler,
  { gates, faults, observe }: RouteParts,
): void {
  const read = requestReader(operation);
  const accepted = Object.keys(operation.requestBody?.content ?? {});
  const isReadable = accepted.every((mediaType) => app.hasContentTypeParser(mediaType));
  const { config } = context;
  // The form of a token answer is RFC 6749's, for clients that know nothing of this API.
  const envelopeByDefault = config.envelope && operation.scope !== null;

  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    { headers, body }: Representation,
    envelope: boolean,
  ): FastifyReply => {
    addCommonHeaders(headers, request.id);
    gates.addHeaders(headers, request);
    const sent = operation.method === "head" ? "" : body;
    observe?.({ operation, url: request.url, status, headers, body: sent, envelope });
    return reply.code(status).headers(headers).send(sent);
  };

  const fail = (request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply => {
    const error = asApiError(
      thrown,
      request.id,
      config.limits.bodyBytes,
      accepted,
      request.headers["content-type"],
    );
    logFailure(context.logger, request.id, thrown, error);
    gates.countFailure(request, error);
    return send(request, reply, error.status, representError(error, requestMeta(request)), false);
  };

  const authorize = async (request: FastifyRequest, scope: string): Promise<void> => {
    const now = context.clock.now();
    const caller = await authenticate(context, request.headers.authorization, now);
    request.caller = caller;
    requireAllowance(gates.takeRequest(request, caller));
    if (!caller.scopes.includes(scope)) throw errors.insufficientScope(scope);
    requirePermission(caller, scope);
  };

  /** Everything that can be refused before the body is read. */
  const admit = async (request: FastifyRequest): Promise<void> => {
    gates.admitAddress(request, operation);
    if (operation.scope !== null) await authorize(request, operation.scope);
    requireMediaType(request, accepted);
    // Nothing parses this kind of body yet, so nothing can handle it either.
    if (!isReadable) throw errors.notImplemented(operation.id);
  };

  const negotiate = representationOf(operation, envelopeByDefault);

  app.route({
    method: operation.method.toUpperCase(),
    url: operation.path.replaceAll(/\{([^}]+)\}/g, ":$1"),
    bodyLimit: config.limits.bodyBytes,
    onRequest: async (request, reply) => {
      try {
        await admit(request);
      } catch (thrown) {
        return fail(request, reply, thrown);
      }
    },
    errorHandler: (thrown, request, reply) => fail(request, reply, thrown),
    handler: async (request, reply) => {
      try {
        faults.meet(operation.id);
        const envelope = negotiate(request.headers.accept);
        const call = {
          operation,
          ...read(request),
          caller: request.caller,
          basic: operation.scope === null ? basicCredentials(request.headers.authorization) : null,
          now: context.clock.now(),
          traceId: request.id,
          context,
        } as Call;
        await requireAction(call);
        const answer: Answer = await handle(call);
        const representation = represent(answer, envelope, requestMeta(request), {
          url: request.url,
          cursorParameter: operation.cursorParameter ?? "after",
        });
        return send(request, reply, operation.successStatus, representation, envelope);
      } catch (thrown) {
        return fail(request, reply, thrown);
      }
    },
  });
}

/** Whether an answer goes out as an Envelope; throws 406. A file has the one form it has. */
function representationOf(
  { answer, responses, successStatus }: Operation,
  envelopeByDefault: boolean,
): (accept: string | undefined) => boolean {
  if (answer !== "file") return (accept) => wantsEnvelope(accept, envelopeByDefault);
  const success = responses.find(({ status }) => status === successStatus);
  const offered = Object.keys(success?.content ?? {});
  return (accept) => {
    requireAcceptable(accept, offered);
    return false;
  };
}

/** What can be parsed is not yet what this operation takes. */
function requireMediaType({ headers }: FastifyRequest, accepted: readonly string[]): void {
  const given = headers["content-type"];
  if (given === undefined || accepted.length === 0) return;
  if (accepted.includes(given.split(";", 1)[0]?.trim().toLowerCase() ?? "")) return;
  throw errors.unsupportedMediaType(given, accepted);
}

/** A documented path with a method it does not have: 405 with `Allow` (RFC 9110 §15.5.6). */
function routeOtherMethods(app: FastifyInstance): void {
  const methodsByPath = Map.groupBy(operations(), ({ path }) => path);
  for (const [path, known] of methodsByPath) {
    const allowed = known.map(({ method }) => method.toUpperCase());
    app.route({
      method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
        (method) => !allowed.includes(method),
      ),
      url: path.replaceAll(/\{([^}]+)\}/g, ":$1"),
      // Answers before the body is read: whatever it holds does not matter here.
      onRequest: (request) => {
        throw errors.methodNotAllowed(request.method, allowed);
      },
      handler: () => undefined,
    });
  }
}
