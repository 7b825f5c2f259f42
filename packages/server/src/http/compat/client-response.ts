import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from "node:http";
import { titleCaseName, withClientHeaders } from "./client-headers.ts";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A response of a server for existing clients, with the headers that they expect. */
export class ClientResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(titleCaseName(name), value);
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const own = typeof reason === "string" ? headers : reason;
    const written =
      Array.isArray(own) || own === undefined ? own : withClientHeaders(own, this.req.headers.host);
    return typeof reason === "string"
      ? super.writeHead(status, reason, written)
      : super.writeHead(status, written);
  }
}
