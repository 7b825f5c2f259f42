import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { STATUS_CODES } from "node:http";
import { errors, type ApiError } from "../errors.ts";
import { representError } from "./represent.ts";
import { addCommonHeaders } from "./request.ts";

/** Responds to input that is not a valid request: time-outs, broken framing, oversized headers. */
export function answerBrokenRequest(fault: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || fault.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = brokenRequestError(fault.code);
  const traceId = randomUUID();
  const { headers, body } = representError(error, { traceId, elapsed: 0 });
  addCommonHeaders(headers, traceId);
  const lines = Object.entries({
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}\r\n`;
  socket.end(`${status}${lines.join("")}\r\n${body}`, () => socket.destroy());
}

function brokenRequestError(code: string | undefined): ApiError {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return errors.timedOut();
    case "HPE_HEADER_OVERFLOW":
      return errors.headersTooLarge();
    default:
      return errors.invalidRequest([{ at: "", message: "this is not a valid HTTP/1.1 request" }]);
  }
}
