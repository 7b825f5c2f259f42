import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Maximum number of requests of one connection in work. */
const mostInWork = 16;
/** Beyond it the connection is closed. One read of a connection contains fewer. */
const mostHeld = 10_000;

type Held = readonly [IncomingMessage, ServerResponse];

/** The requests of a connection that were sent before the response to the one in front of them. */
interface Pipeline {
  inWork: number;
  readonly held: Held[];
}

/** What Node.js reads a connection by. */
interface Handle {
  readStop(): void;
  readStart(): void;
}

/**
 * Limits the pipelined requests of a connection that are in work (RFC 9112 §9.3.2). The others are held, and nothing
 * more is read from the connection until all have begun.
 */
export function limitPipelining(server: Server): void {
  const handlers = server.listeners("request") as ((...held: Held) => void)[];
  const handle = (...held: Held): void => {
    for (const each of handlers) each.apply(server, held as never);
  };
  const pipelines = new WeakMap<Socket, Pipeline>();
  const begin = (pipeline: Pipeline, ...[request, response]: Held): void => {
    pipeline.inWork += 1;
    response.once("close", () => {
      pipeline.inWork -= 1;
      const next = pipeline.held.shift();
      if (next !== undefined) begin(pipeline, ...next);
      if (pipeline.held.length === 0) handleOf(request)?.readStart();
    });
    handle(request, response);
  };
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    // The first response of a connection has its socket. The others get it in their order.
    if (response.socket !== null) {
      handle(request, response);
      return;
    }
    const { socket } = request;
    const pipeline = pipelines.get(socket) ?? { inWork: 1, held: [] };
    pipelines.set(socket, pipeline);
    if (pipeline.inWork < mostInWork) begin(pipeline, request, response);
    else if (pipeline.held.length < mostHeld) {
      pipeline.held.push([request, response]);
      handleOf(request)?.readStop();
    } else socket.destroy();
  });
}

const handleOf = ({ socket }: IncomingMessage): Handle | null | undefined =>
  // oxlint-disable-next-line no-underscore-dangle -- Pausing the socket's stream does not stop the HTTP parser.
  (socket as { readonly _handle?: Handle | null })._handle;
