import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Whether a server is about to stop. */
export class Stopping {
  #hasBegun = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * From now on, `/readyz` is a 503, and every answer asks its client to close the connection, so that load balancers
   * and clients go to other servers. Requests are still handled.
   */
  begin(server: Server): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
      response.setHeader("connection", "close");
    });
  }
}
