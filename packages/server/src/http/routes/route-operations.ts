import type { ServedOperation } from "@security-platform/spec";
import type { FastifyInstance } from "fastify";
import type { Authorization, Authorizations } from "../../access/authorize.ts";
import type { Context } from "../../calls/context.ts";
import { errors, type ApiError } from "../../foundation/errors.ts";
import { nearest } from "@security-platform/fql";
import { deprecationOf } from "./deprecation.ts";
import type { Answer } from "../../calls/answer.ts";
import type { Awaitable } from "../../foundation/awaitable.ts";
import type { Handler } from "../../calls/handler.ts";
import { formMediaType } from "../validate/form.ts";
import { OperationRoute } from "./operation-route.ts";
import type { RouteParts } from "./route-parts.ts";

/** Handlers by operation id. Each one handles the calls of its own operation. */
export type Handlers = Readonly<Record<string, (call: never) => Awaitable<Answer>>>;

/** The handlers of the operations, and what they require of users in addition to their scopes. */
export interface Served {
  readonly handlers: Handlers;
  readonly authorizations: Authorizations;
}

/** Registers a route for each operation, and refuses all other paths and methods. */
export async function routeOperations(
  app: FastifyInstance,
  context: Context,
  operations: readonly ServedOperation[],
  { handlers, authorizations }: Served,
  parts: RouteParts,
): Promise<void> {
  const refusal = refuser(
    operations.map(({ path }) => path),
    methodsByUrl(app),
  );
  app.addHook("onRequest", (request, _reply, done) => {
    // Refused before the body is read, because the body has no influence here.
    if (request.is404) done(refusal(request.method, request.url));
    else done();
  });
  app.setNotFoundHandler((request) => {
    throw refusal(request.method, request.url);
  });
  const routes = operations.map((operation) => {
    const handle = handlers[operation.id] as Handler | undefined;
    if (handle === undefined) throw new Error(`${operation.id} has no handler`);
    return new OperationRoute(
      context,
      operation,
      deprecationOf(operation, operations),
      handle,
      authorizations[operation.id] as Authorization | undefined,
      parts,
    );
  });
  for (const route of routes.filter(({ takesForm }) => !takesForm)) route.addTo(app);
  await app.register(async (forms) => {
    // The route reads the form itself, after it has validated everything else.
    forms.addContentTypeParser(formMediaType, (_request, _payload, done) => done(null));
    for (const route of routes.filter(({ takesForm }) => takesForm)) route.addTo(forms);
  });
}

/**
 * Methods by URL pattern, for all routes that are registered from here on, including those of other modules.
 */
function methodsByUrl(app: FastifyInstance): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, readonly string[]>();
  app.addHook("onRoute", ({ url, method }) => {
    methods.set(url, [...(methods.get(url) ?? []), ...[method].flat()]);
  });
  return methods;
}

/** 404 for unknown paths. For a known path with an unknown method: 405 with `Allow` (RFC 9110 §15.5.6). */
function refuser(
  operationPaths: readonly string[],
  methods: ReadonlyMap<string, readonly string[]>,
): (method: string, url: string) => ApiError {
  let patterns: readonly { readonly url: string; readonly matches: RegExp }[] | undefined;
  return (method, url) => {
    const path = url.split("?", 1)[0] ?? "/";
    patterns ??= [...methods.keys()].filter((each) => /[:*]/.test(each)).map(patternOf);
    const allowedMethods =
      methods.get(path) ??
      methods.get(patterns.find(({ matches }) => matches.test(path))?.url ?? "");
    if (allowedMethods !== undefined) return errors.methodNotAllowed(method, allowedMethods);
    return /^\/docs(?:\/|$)/.test(path)
      ? errors.docsNotServed(path)
      : errors.unknownPath(path, nearest(path, operationPaths));
  };
}

/** `:name` matches one segment of a path, and `*` the rest of the path. */
function patternOf(url: string): { readonly url: string; readonly matches: RegExp } {
  const source = url
    .split("/")
    .map((part) => {
      if (part.startsWith(":")) return "[^/]+";
      return part === "*" ? ".*" : part.replaceAll(/[^\w-]/g, "\\$&");
    })
    .join("/");
  return { url, matches: new RegExp(`^${source}$`) };
}
