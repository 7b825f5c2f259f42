import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".gz": "application/gzip",
};

export interface SiteOptions {
  /** Headers by the names of files; `*`: of all others. */
  readonly headers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Files that do not exist. */
  readonly missing?: readonly string[];
  /** The page. Default: an empty one. */
  readonly html?: string | undefined;
  /** Default: that of the built package. */
  readonly folder?: string;
}

export interface StaticSite extends AsyncDisposable {
  readonly url: string;
}

/** Serves a folder, under `/` and under `/platform/`, and an HTML page, as any file server does. */
export async function serveSite({
  headers = {},
  missing = [],
  html = "<!doctype html><title>Platform</title>",
  folder = dist,
}: SiteOptions = {}): Promise<StaticSite> {
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const name = pathname.replace(/^\/(?:platform\/)?/, "");
    const own = headers[name] ?? headers["*"] ?? {};
    for (const [header, value] of Object.entries(own)) response.setHeader(header, value);
    const type = mediaTypes[extname(name === "" ? "index.html" : name)];
    const file = missing.includes(name) ? undefined : join(folder, name);
    if (file === undefined || !existsSync(file)) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader("content-type", type ?? "application/octet-stream");
    if (name === "") response.end(html);
    else createReadStream(file).pipe(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
