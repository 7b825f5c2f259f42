import type { Server } from "node:http";
import type { Socket } from "node:net";
import { isIdle } from "./broken-request.ts";

/**
 * Closes connections whose callers have not taken a byte of a response for this long. A slow caller who takes some
 * keeps the connection: Node.js then restarts the time.
 */
export function closeStalledConnections(server: Server, milliseconds: number): void {
  server.setTimeout(milliseconds, (socket: Socket) => {
    // Other time-outs end a request that does not arrive. The server may take any time for a response.
    if (socket.writableLength > 0 || isIdle(socket)) socket.destroy();
    else socket.setTimeout(milliseconds);
  });
}
