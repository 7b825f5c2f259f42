import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isIdle, latestResponse } from "./broken-request.ts";

/** Rounds of looking at all connections within the time that a connection may be idle. */
const rounds = 4;

/**
 * Closes connections that have sent no further request for this long. Node.js restarts its time with each byte, also
 * with the line breaks that may precede a request (RFC 9112 §2.2). Nothing is done for each request.
 */
export function closeIdleConnections(server: Server, milliseconds: number): void {
  if (milliseconds === 0) return;
  const connections = new Map<Socket, Idle>();
  server.on(listens(server), (socket: Socket) => {
    connections.set(socket, { response: undefined, rounds: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  const look = setInterval(
    () => {
      for (const [socket, idle] of connections) {
        const response = isIdle(socket) ? latestResponse(socket) : undefined;
        idle.rounds = response !== undefined && response === idle.response ? idle.rounds + 1 : 0;
        idle.response = response;
        if (idle.rounds > rounds) socket.destroy();
      }
    },
    Math.max(10, milliseconds / rounds),
  ).unref();
  server.once("close", () => clearInterval(look));
}

interface Idle {
  /** The last response, if nothing has come since. */
  response: ServerResponse | undefined;
  /** Number of rounds in which the connection was idle. */
  rounds: number;
}

/** The event with the sockets of requests. */
const listens = (server: Server): string =>
  "setSecureContext" in server ? "secureConnection" : "connection";
