import { once } from "node:events";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { siteFolder } from "./places.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** A server for a test, at an origin of its own. */
export interface TestServer {
  readonly url: string;
  /** Method and path of all requests. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** The built site under /docs/, as any static host serves it: without policy and without API. */
export const serveStatic = (): Promise<TestServer> =>
  listen((path) => {
    const name = path.replace(/^\/docs\//, "");
    const file = join(siteFolder, name === "" || name.endsWith("/") ? `${name}index.html` : name);
    return existsSync(file) && statSync(file).isFile() ? { file } : { status: 404 };
  });

/** Leads every request to another server, and allows every page to see that. */
export const serveRedirect = (target: string): Promise<TestServer> =>
  listen((path) => ({ status: 307, location: target + path }));

type Reply = { readonly file: string } | { readonly status: number; readonly location?: string };

async function listen(reply: (path: string) => Reply): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    requests.push(`${request.method} ${pathname}`);
    const answer = reply(decodeURIComponent(pathname));
    if ("file" in answer) {
      response.setHeader(
        "content-type",
        mediaTypes[extname(answer.file)] ?? "application/octet-stream",
      );
      createReadStream(answer.file).pipe(response);
      return;
    }
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "authorization, content-type");
    if (answer.location !== undefined) response.setHeader("location", answer.location);
    response.statusCode = answer.status;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
