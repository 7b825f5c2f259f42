import { createServer, type Server as HttpServer } from "node:http";
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { runContractTests } from "../src/index.ts";
import { widgetContract } from "./fixture/contract.ts";
import { widgetRecipes } from "./fixture/recipes.ts";
import { bodyBytes, clients, WidgetServer } from "./fixture/widget-server.ts";

const urlOf = (server: Server | HttpServer): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function listen<Listening extends Server | HttpServer>(server: Listening): Promise<string> {
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  return urlOf(server);
}

/** Answers every request with these bytes; `true` leaves the connection open. */
async function rawServer(answer: string | null, keepOpen = false): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      if (answer !== null) socket.write(answer);
      if (!keepOpen) socket.end();
    });
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

const run = (baseUrl: string, timeoutMilliseconds = 10_000) =>
  runContractTests({
    baseUrl,
    credentials: clients.own,
    bodyBytes,
    allowWrites: true,
    contract: widgetContract,
    recipes: widgetRecipes,
    timeoutMilliseconds,
  });

const head = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n";

describe("a target that cannot be tested ends the run with a reason", () => {
  test("nothing listens", async () => {
    const server = createTcpServer();
    const url = await listen(server);
    await new Promise((done) => {
      server.close(done);
    });
    await expect(run(url)).rejects.toThrow(
      "POST /oauth2/token: nothing listens at this host and port",
    );
  });

  test.each<readonly [string, string | null, boolean, string]>([
    ["hangs", null, true, "no complete response in 300 ms"],
    [
      "stops in the middle",
      `${head}content-length: 90\r\n\r\n{"access_`,
      true,
      "no complete response in 300 ms",
    ],
    ["closes without an answer", "", false, "the target closed the connection"],
    [
      "closes half-way",
      `${head}content-length: 90\r\n\r\n{"access_`,
      false,
      "the target closed the connection before the response was complete",
    ],
    [
      "closes within a chunk",
      `${head}transfer-encoding: chunked\r\n\r\n50\r\n{"access_`,
      false,
      "the target closed the connection before the response was complete",
    ],
    [
      "claims a shorter body",
      `${head}content-length: 4\r\nconnection: close\r\n\r\n{"access_token":"t"}`,
      false,
      'the answer has no access_token: application/json, "{\\"ac"',
    ],
    ["speaks no HTTP", "220 mail.example ESMTP\r\n", false, "POST /oauth2/token: "],
    [
      "answers HTML",
      "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<html>Hi</html>",
      false,
      'no token for client client-a: 200 text/html, "<html>Hi</html>"',
    ],
    [
      "has another API",
      `${head}content-length: 2\r\n\r\n[]`,
      false,
      'the answer has no access_token: application/json, "[]"',
    ],
  ])("it %s", async (_what, answer, keepOpen, message) => {
    await expect(run(await rawServer(answer, keepOpen), 300)).rejects.toThrow(message);
  });

  test("it redirects to another host, which gets no credentials", async () => {
    const requests: string[] = [];
    const other = createServer((request, response) => {
      requests.push(request.url ?? "");
      response.end();
    });
    onTestFinished(() => void other.close());
    const location = `${await listen(other)}/oauth2/token`;
    const answer = `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;
    await expect(run(await rawServer(answer))).rejects.toThrow(
      `307 redirects to ${location}; redirects are not followed, so pass the final URL as --base-url`,
    );
    expect(requests).toEqual([]);
  });
});

/** The widget server, whose answers to one path are replaced. */
async function partlyBroken(
  breaks: (socket: Socket) => void,
  path = "/widgets/colours",
): Promise<string> {
  const widgets = new WidgetServer();
  const target = await widgets.start();
  onTestFinished(() => widgets.stop());
  const proxy = createServer((request, response) => {
    if (request.url?.startsWith(path) === true) {
      breaks(response.socket as Socket);
      return;
    }
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const forward = async (): Promise<void> => {
        const answer = await fetch(target + (request.url ?? ""), {
          method: request.method ?? "GET",
          headers: headers as Record<string, string>,
          ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
        });
        const { "content-encoding": _coding, ...rest } = Object.fromEntries(answer.headers);
        response.writeHead(answer.status, rest).end(await answer.text());
      };
      void forward();
    });
  });
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return listen(proxy);
}

describe("a target that breaks later fails the affected cases", () => {
  const options = (baseUrl: string) => ({
    baseUrl,
    credentials: clients.own,
    bodyBytes,
    allowWrites: true,
    contract: widgetContract,
    recipes: widgetRecipes,
    timeoutMilliseconds: 10_000,
  });

  test.each<readonly [string, string, RegExp]>([
    [
      "closes half-way",
      "HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n[",
      /before the response was complete/,
    ],
    [
      "lies about its length",
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 3\r\nconnection: close\r\n\r\n["red","green"]',
      /is not JSON|before the answer/,
    ],
    [
      "redirects",
      "HTTP/1.1 302 Found\r\nlocation: http://other.example/\r\ncontent-length: 0\r\n\r\n",
      /the document has 200, .*got 302/,
    ],
    [
      "answers HTML",
      "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>",
      /expected application\/json, got text\/html/,
    ],
  ])("it %s", async (_what, bytes, message) => {
    const baseUrl = await partlyBroken((socket) => socket.end(bytes));
    const include = ["colour.list 200 answer", "widget.get 200 answer"];
    const report = await runContractTests({ ...options(baseUrl), include });
    const colours = report.cases.find(({ operation }) => operation === "colour.list");
    expect(colours?.failures.map((failure) => failure.message).join("\n")).toMatch(message);
    expect(report.cases.find(({ operation }) => operation === "widget.get")?.outcome).toBe(
      "passed",
    );
  });

  test("a run ends soon after the target has stopped", async () => {
    const widgets = new WidgetServer();
    const baseUrl = await widgets.start();
    let requests = 0;
    const report = await runContractTests({
      ...options(baseUrl),
      fetch: async (input, init) => {
        requests += 1;
        if (requests === 100) await widgets.stop();
        return fetch(input, init);
      },
    });
    const left = report.cases.filter(({ needs }) => needs.includes("a target that answers"));
    expect(left.length).toBeGreaterThan(100);
    expect(report.failed).toBeLessThan(150);
    expect(report.ok).toBe(false);
  });
});

test("a 413 counts even if the server closes the connection without reading the body", async () => {
  const refusal =
    "HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
  const baseUrl = await partlyBroken((socket) => {
    socket.write(refusal, () => socket.destroy());
  }, "/oauth2/revoke");
  const report = await runContractTests({
    baseUrl,
    credentials: clients.own,
    // Larger than what the sockets buffer.
    bodyBytes: 20_000_000,
    allowWrites: true,
    contract: widgetContract,
    recipes: widgetRecipes,
    include: ["oauth2RevokeToken 413"],
  });
  const messages = report.cases.flatMap(({ failures }) => failures.map(({ message }) => message));
  expect(messages.join("\n")).not.toMatch(/EPIPE|ECONNRESET/);
  expect(messages.join("\n")).toMatch(/oauth2RevokeToken 413/);
});
