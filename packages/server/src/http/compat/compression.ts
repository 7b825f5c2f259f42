import type { ServerResponse } from "node:http";
import { constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { endWith } from "../responses/end-with.ts";

/** Minimum size of a compressed body. Smaller ones fit into one packet anyway. */
const worthBytes = 1_400;
/** Maximum size of a compressed body, which limits memory and the use of threads. */
const mostBytes = 16 * 1024 * 1024;
/** Files and hashes need the same threads. */
const mostAtOnce = 2;
/** Most of the effect for a fraction of the time of higher levels. */
const options = { level: constants.Z_BEST_SPEED, chunkSize: 256 * 1024 };

export interface Content {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly bytes: number;
  /** Called when the response was given to its connection, with its size. */
  readonly sent: (bytes: number) => void;
}

/** Compresses responses for clients that accept gzip, on the threads of Node.js. */
export class Compression {
  #running = 0;

  /** Sends a response later. False if the caller must send it as it is. */
  send(request: FastifyRequest, { raw }: FastifyReply, content: Content): boolean {
    const { headers, body, bytes } = content;
    if (bytes < worthBytes || bytes > mostBytes) return false;
    const vary = raw.getHeader("vary");
    headers["vary"] = vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`;
    const accepted = request.headers["accept-encoding"];
    if (accepted === undefined || this.#running >= mostAtOnce || !acceptsGzip(accepted)) {
      return false;
    }
    this.#running += 1;
    gzip(body, options, (error, compressed) => {
      this.#running -= 1;
      if (error === null) sendCompressed(raw, content, compressed);
      else raw.destroy(error);
    });
    return true;
  }
}

function sendCompressed(
  raw: ServerResponse,
  { status, headers, sent }: Content,
  compressed: Buffer,
): void {
  headers["content-encoding"] = "gzip";
  headers["content-length"] = String(compressed.length);
  endWith(raw.writeHead(status, headers), compressed);
  sent(compressed.length);
}

const acceptsGzip = (accepted: string): boolean =>
  new Negotiator({ headers: { "accept-encoding": accepted } })
    .encodings(["gzip", "identity"])
    .includes("gzip");
