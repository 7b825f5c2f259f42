import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { ServerConfig } from "../foundation/config.ts";
import { addCommonHeaders } from "./request.ts";

type Config = Pick<ServerConfig, "demoClient" | "publicUrl" | "trustedProxies" | "tls">;

/** Where pages of the documentation get the credentials of the demo. */
const path = "/docs/demo-client";

/**
 * Gives the credentials of the demo's client to the pages of this server that a browser on this machine shows. Browsers
 * send `Origin` with a POST, so a page of another origin, or of a name that was rebound to this address, is noticed.
 * Everybody else gets an empty response.
 */
export function routeDemoClient(app: FastifyInstance, config: Config): void {
  const { publicUrl, trustedProxies = [] } = config;
  const isBehindProxy = publicUrl !== undefined || trustedProxies.length > 0;
  const demoClient = isBehindProxy ? undefined : config.demoClient;
  app.route({
    method: "POST",
    url: path,
    handler: (request, reply): FastifyReply => {
      const headers: Record<string, string> = {};
      addCommonHeaders(headers, request.id);
      reply.headers(headers);
      // No error: browsers would report it to every reader of a server without the demo.
      if (demoClient === undefined || !isFromOwnPage(request, config)) {
        return reply.code(204).send();
      }
      return reply.send({
        client_id: demoClient.id,
        client_secret: demoClient.secret,
      });
    },
  });
}

const names = ["localhost", "127.0.0.1", "[::1]"];

/** Headers that only proxies add. A caller behind one may be anywhere. */
const ofProxies = /^(?:x-forwarded-.*|forwarded|via|x-real-ip|x-original-.*|cf-connecting-ip)$/;

function isFromOwnPage({ raw: { socket, headers } }: FastifyRequest, { tls }: Config): boolean {
  const { host, origin } = headers;
  const site = headers["sec-fetch-site"];
  const scheme = tls === undefined ? "http" : "https";
  return (
    isLoopbackAddress(socket?.remoteAddress) &&
    !Object.keys(headers).some((name) => ofProxies.test(name)) &&
    names.some((name) => host === hostOf(`${scheme}://${name}:${socket.localPort}`)) &&
    origin === `${scheme}://${host}` &&
    (site === undefined || site === "same-origin")
  );
}

/** As browsers write it: without the port of the scheme. */
const hostOf = (url: string): string => new URL(url).host;

const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined &&
  ipaddr.isValid(address) &&
  ipaddr.process(address).range() === "loopback";
