import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopback, isLoopbackHost } from "../loopback.ts";
import { listenError } from "./listen.ts";

export interface MetricsPage {
  /** Where the metrics are: `http://host:port/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

export interface MetricsPageOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>;
  /** How long a connection may go without a whole request. Default: 5 s. */
  readonly silenceMilliseconds?: number;
}

const path = "/metrics";
const contentType = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Serves metrics on a port of their own, without a token, so that they do not wait for a turn among the requests of
 * tenants and cannot be reached where the API can. Rejects if it cannot listen.
 */
export async function serveMetrics({
  host,
  port,
  text,
  silenceMilliseconds: silence = 5_000,
}: MetricsPageOptions): Promise<MetricsPage> {
  const timeouts = {
    headersTimeout: silence,
    requestTimeout: silence,
    keepAliveTimeout: silence,
    // The default, 30 s, would add to each of them.
    connectionsCheckingInterval: silence / 5,
  };
  const server = createServer(timeouts, (request, response) => {
    const send = (status: number, body: string, headers = {}): void => {
      response.writeHead(status, { "content-type": contentType, ...common, ...headers });
      response.end(request.method === "HEAD" ? "" : body);
    };
    if (isLoopback(host) && !isLoopbackHost(request.headers.host)) {
      // A page of another site could read the metrics through a name that leads to this machine (DNS rebinding).
      send(403, "headers.host: expected localhost or a loopback address\n");
    } else if (request.url?.split("?", 1)[0] !== path) send(404, `expected ${path}\n`);
    else if (request.method !== "GET" && request.method !== "HEAD") {
      send(405, "expected GET\n", { allow: "GET, HEAD" });
    } else {
      text().then(
        (metrics) => send(200, metrics),
        () => send(503, "the metrics cannot be read\n"),
      );
    }
  });
  server.maxConnections = 64;
  await listening(server, host, port);
  const { port: used } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${used}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const common = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, { host, port }, "--metrics-port")));
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
