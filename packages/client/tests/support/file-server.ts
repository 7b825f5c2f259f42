import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createClient, type Client, type ClientOptions } from "../../src/index.ts";
import { TestClock } from "./test-clock.ts";

type Answerer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A server that grants numbered tokens, and answers its n-th other request with the n-th function, or the last. */
export async function startFileServer(...answerers: readonly Answerer[]) {
  const authorizations: (string | undefined)[] = [];
  let tokens = 0;
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/oauth2/") === true) {
      request.resume();
      const token = { access_token: `token-${(tokens += 1)}`, expires_in: 1_799 };
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(token));
      return;
    }
    authorizations.push(request.headers.authorization);
    const answer = answerers[Math.min(authorizations.length, answerers.length) - 1];
    Promise.resolve(answer?.(request, response)).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const connect = (options: Partial<ClientOptions> = {}): Client =>
    createClient({
      baseUrl: `http://${host}`,
      clientId: "id",
      clientSecret: "secret",
      clock: new TestClock(),
      ...options,
    });
  return { host, url: `http://${host}`, authorizations, connect };
}

/** The bytes of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("latin1");
}

/** Ends the connection after this many bytes of the request. */
export const dropAfter =
  (bytes: number): Answerer =>
  (request) => {
    let received = 0;
    request
      .on("error", () => undefined)
      .on("data", ({ length }: Buffer) => {
        received += length;
        if (received >= bytes) request.socket.destroy();
      });
  };

/** Answers with JSON after the whole request was read. */
export const reply =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answerer =>
  async (request, response) => {
    await bodyOf(request);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** A folder that is removed after the test, and the names of its files. */
export function newFolder(): {
  readonly path: string;
  at(name: string): string;
  names(): string[];
} {
  const path = mkdtempSync(join(tmpdir(), "files-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return { path, at: (name) => join(path, name), names: () => readdirSync(path).toSorted() };
}
