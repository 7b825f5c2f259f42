import type { Server } from "node:http";
import type { FastifyHttpOptions, FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { headerBytes, type PlatformConfig, type ServerConfig } from "../../foundation/config.ts";
import { ClientResponse } from "../compat/client-response.ts";
import { answerBrokenRequest, noteResponse, refuseTunnel } from "./broken-request.ts";
import { asksForUpgrade, continueWhenRead, hasFaultyFraming } from "./expectations.ts";
import { closeIdleConnections } from "./idle-connections.ts";
import { limitPipelining } from "./pipelining.ts";
import { refuseWhenOverloaded } from "./overload.ts";
import { closeStalledConnections } from "./stalled-connections.ts";

/** How an app receives requests over a network. */
export interface Connections {
  readonly options: FastifyHttpOptions<Server>;
  /** Called before all hooks and routes are added. `stopping` is aborted before the server stops. */
  attach(app: FastifyInstance, stopping: AbortSignal): void;
  /** Refuses requests while this process is overloaded, except exempt ones. */
  refuseWhenOverloaded(
    app: FastifyInstance,
    isExempt: (request: FastifyRequest) => boolean,
    onRefusal: () => void,
  ): void;
}

/** Connections over HTTP/1.1, with TLS if it is configured: their time-outs, limits and broken requests. */
export function connectionsOf(
  config: Pick<ServerConfig, "limits" | "tls" | "compat" | "publicUrl"> &
    Partial<Pick<PlatformConfig, "guides">>,
  logger: Logger,
): Connections {
  const { limits, tls, compat, publicUrl, guides } = config;
  const parts = {
    logger,
    config: {
      ...(guides === undefined ? {} : { guides }),
      ...(publicUrl === undefined ? {} : { publicUrl }),
    },
  };
  const options = {
    ...(compat ? { ServerResponse: ClientResponse } : {}),
    maxHeaderSize: headerBytes,
    // Such requests are refused with an Envelope instead.
    requireHostHeader: false,
    headersTimeout: Math.min(limits.requestMilliseconds, 15_000),
    // Ends the body stream of a request without a body from the start, which saves a tenth of the time of a
    // GET.
    optimizeEmptyRequests: true,
    connectionsCheckingInterval: Math.max(50, Math.min(1_000, limits.requestMilliseconds / 4)),
  };
  const handshakeTimeout = Math.min(limits.requestMilliseconds, 10_000);
  return {
    options: {
      requestTimeout: limits.requestMilliseconds,
      connectionTimeout: 0,
      keepAliveTimeout: limits.idleMilliseconds,
      forceCloseConnections: "idle",
      clientErrorHandler: answerBrokenRequest(parts),
      ...(tls === undefined
        ? { http: options }
        : { https: { ...options, ...tls, handshakeTimeout } }),
    } as FastifyHttpOptions<Server>,
    refuseWhenOverloaded: (app, isExempt, onRefusal) =>
      refuseWhenOverloaded(app, {
        milliseconds: limits.overloadMilliseconds,
        isExempt,
        onRefusal,
      }),
    attach: (app, stopping) => {
      const { server } = app;
      server.maxConnections = limits.connections;
      limitPipelining(server);
      closeStalledConnections(server, limits.writeMilliseconds);
      closeIdleConnections(server, limits.idleMilliseconds);
      server.on("connect", refuseTunnel(parts));
      // A server may ignore an expectation that it does not know (RFC 9110 §10.1.1).
      server.on("checkExpectation", (request, response) => {
        server.emit("request", request, response);
      });
      server.on("checkContinue", (request, response) => {
        continueWhenRead(request, response);
        server.emit("request", request, response);
      });
      app.addHook("onRequest", (request, reply, done) => {
        // Node.js drops what it has read after such a request, which may be another one.
        if (asksForUpgrade(request.headers) || hasFaultyFraming(request.raw)) {
          reply.raw.shouldKeepAlive = false;
        }
        noteResponse(reply.raw);
        done();
      });
      stopping.addEventListener("abort", () => {
        server.prependListener("request", (_request, response) => {
          response.setHeader("connection", "close");
        });
      });
    },
  };
}
