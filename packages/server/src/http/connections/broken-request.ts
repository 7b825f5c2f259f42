import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Logger } from "pino";
import { headerBytes, type PlatformConfig } from "../../foundation/config.ts";
import { errors, type ApiError } from "../../foundation/errors.ts";
import { addHelp } from "../responses/help-link.ts";
import { representError } from "../responses/represent.ts";
import { addCommonHeaders } from "../request.ts";

interface Parts {
  readonly logger: Logger;
  readonly config: Pick<PlatformConfig, "guides" | "publicUrl">;
}

type Fault = Error & { readonly code?: string };

/** Responds to input that is not a valid request: time-outs, invalid framing, oversized headers. */
export const answerBrokenRequest =
  (parts: Parts) =>
  (fault: Fault, socket: Socket): void =>
    answer(parts, fault, socket);

/** Connections that have received their response but may still be sending. */
const answered = new WeakSet<Duplex>();

/** The latest response on each connection. */
const responses = new WeakMap<Socket, ServerResponse>();

/** Notes that a request gets its response. Call it for each request before. */
export function noteResponse(response: ServerResponse): void {
  const { req, shouldKeepAlive } = response;
  responses.set(req.socket, response);
  if (!shouldKeepAlive) receiveRest(req);
}

/**
 * Receives and discards the rest of a request that is answered before it is complete, if the connection closes
 * afterwards. Node.js would close it at once, and a caller who is still sending would lose the response. The
 * time for receiving a request limits this too.
 */
function receiveRest(request: IncomingMessage): void {
  const { socket } = request;
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete || request.destroyed) {
      close();
      return;
    }
    socket.end();
    request.once("close", close).resume();
  };
}

/** The response to the latest request of a connection. */
export const latestResponse = (socket: Socket): ServerResponse | undefined => responses.get(socket);

/** Whether all requests of the connection have their response. */
export function isIdle(socket: Socket): boolean {
  const response = responses.get(socket);
  return response !== undefined && (response.writableFinished || response.destroyed);
}

/**
 * Whether the response was sent before the request was complete. The invalid rest of such a request gets no
 * second response.
 */
function isAnswered(socket: Socket): boolean {
  const response = responses.get(socket);
  return response !== undefined && response.headersSent && !response.req.complete;
}

/** A close that discards unread bytes resets the connection, and the client may lose the response. */
const lingerMilliseconds = 1_000;

function answer(parts: Parts, fault: Fault, socket: Socket): void {
  if (answered.has(socket)) return;
  if (socket.destroyed || fault.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  if (isAnswered(socket)) {
    end(socket, "");
    return;
  }
  sendLast(parts, brokenRequestError(fault.code), socket, fault.code);
}

/** Refuses a tunnel, which a caller requests of a proxy. Without this, the caller would get no response. */
export const refuseTunnel =
  (parts: Parts) =>
  (_request: unknown, socket: Duplex): void => {
    // Node.js no longer reads from the connection, nor listens to it.
    socket.on("error", () => socket.destroy()).resume();
    const message = "CONNECT is for proxies, and this server is not a proxy";
    sendLast(parts, errors.invalidRequest([{ at: "", message }]), socket, "CONNECT");
  };

/** Sends an error as the last bytes of a connection. */
function sendLast(
  { logger, config }: Parts,
  error: ApiError,
  socket: Duplex,
  fault: string | undefined,
): void {
  const traceId = randomUUID();
  logger.info({ trace_id: traceId, status: error.status, fault }, "broken request");
  const { headers, body } = representError(error, { traceId, elapsed: 0 });
  addHelp(headers, error, config, null);
  addCommonHeaders(headers, traceId);
  const lines = Object.entries({
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}\r\n`;
  end(socket, `${status}${lines.join("")}\r\n${body}`);
}

function end(socket: Duplex, last: string): void {
  answered.add(socket);
  socket.end(last);
  const linger = setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
  socket.once("end", () => socket.destroy()).once("close", () => clearTimeout(linger));
}

function brokenRequestError(code: string | undefined): ApiError {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return errors.timedOut();
    case "HPE_HEADER_OVERFLOW":
      return errors.headersTooLarge(headerBytes);
    default:
      return errors.invalidRequest([{ at: "", message: "this is not a valid HTTP/1.1 request" }]);
  }
}
