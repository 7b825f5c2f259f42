import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { buffer } from "node:stream/consumers";
import { inPage } from "./page-scope.ts";

export interface Bridge extends AsyncDisposable {
  /** Requests to it are handled by the platform in the page. */
  readonly url: string;
}

/** Statuses whose responses have no body. */
const withoutBody = new Set([204, 304]);

/** Leads requests over HTTP to the platform in a page. */
export async function openBridge(page: Page): Promise<Bridge> {
  const server = createServer((request, response) => {
    void handle(page, request).then(
      ({ status, headers, body }) => {
        response.writeHead(status, headers.flat());
        return response.end(withoutBody.has(status) ? undefined : Buffer.from(body, "base64"));
      },
      (error: unknown) => response.writeHead(502).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function handle(page: Page, request: IncomingMessage) {
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => [name, value] as [string, string]),
  );
  const sent = {
    url: `http://${request.headers.host}${request.url}`,
    method: request.method ?? "GET",
    headers,
    body: (await buffer(request)).toString("base64"),
  };
  return inPage(
    page,
    async (platform, { url, method, headers: given, body }) => {
      const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
      const hasBody = bytes.length > 0 && method !== "GET" && method !== "HEAD";
      const response = await platform.fetch(url, {
        method,
        headers: given,
        ...(hasBody ? { body: bytes } : {}),
      });
      const received = new Uint8Array(await response.arrayBuffer());
      let text = "";
      for (let at = 0; at < received.length; at += 32_768) {
        text += String.fromCharCode(...received.subarray(at, at + 32_768));
      }
      return { status: response.status, headers: [...response.headers], body: btoa(text) };
    },
    sent,
  );
}
