import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from "node:http";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * A response of a server for existing clients. Some look headers up by their exact spelling, so names are
 * written in their usual capitals: `X-Ratelimit-Limit`. Adds the headers that only these clients read.
 */
export class ClientResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(inCapitals(name), value);
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const own = typeof reason === "string" ? headers : reason;
    const written = Array.isArray(own) || own === undefined ? own : withClientHeaders(own);
    return typeof reason === "string"
      ? super.writeHead(status, reason, written)
      : super.writeHead(status, written);
  }
}

/** A region of a cloud would make some clients send all further requests to that cloud. */
const region = "local";

function withClientHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const written: OutgoingHttpHeaders = { "X-Cs-Region": region };
  for (const name in headers) {
    const value = headers[name];
    written[inCapitals(name)] = value;
    if (name === "x-trace-id") written["X-Cs-Traceid"] = value;
  }
  return written;
}

const known = new Map<string, string>();

/** The server itself chooses all names, so the map stays small. */
function inCapitals(name: string): string {
  let capitals = known.get(name);
  if (capitals === undefined) {
    capitals = name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());
    known.set(name, capitals);
  }
  return capitals;
}
