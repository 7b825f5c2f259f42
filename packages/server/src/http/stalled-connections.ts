import type { Server } from "node:http";
import type { Socket } from "node:net";
import { isAnswering } from "./broken-request.ts";

/**
 * Closes connections whose callers have not taken a byte of an answer for this long. A slow caller who takes some
 * keeps the connection: Node.js then restarts the time.
 */
export function closeStalledConnections(server: Server, milliseconds: number): void {
  server.setTimeout(milliseconds, (socket: Socket) => {
    const isWorking = socket.writableLength === 0 && isAnswering(socket);
    if (isWorking) socket.setTimeout(milliseconds);
    else socket.destroy();
  });
}
