/** @module-tag exhaustive */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { noteResponse } from "../src/http/connections/broken-request.ts";
import { endWith } from "../src/http/responses/end-with.ts";
import { closeStalledConnections } from "../src/http/connections/stalled-connections.ts";
import { sendRaw } from "./support/raw-request.ts";
import { startSmallApp, type SmallOperation } from "./support/small-app.ts";

/** More than the buffers of a connection can hold. */
const bytes = 40_000_000;

/** A connection whose end the test does not read. */
async function connectTo(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

const request = "GET /large HTTP/1.1\r\nhost: x\r\n\r\n";
const limits = { writeMilliseconds: 100 };

test.each<[string, number]>([
  ["one request", 1],
  ["many requests at once", 3],
])("a caller who does not read the answer loses the connection: %s", async (_name, count) => {
  const large = { kind: "object", object: { text: "x".repeat(bytes) } } as const;
  const operation: SmallOperation = { answer: "object", handle: () => large };
  const { url, connections } = await startSmallApp({ large: operation }, { limits });
  const socket = await connectTo(url);
  await expect.poll(() => connections()).toBe(1);
  socket.write(request.repeat(count));
  await expect.poll(() => connections()).toBe(0);
});

test("a caller who does not read a file loses the connection, and the file is closed", async () => {
  const content = new Readable({ read: (size) => void content.push(Buffer.alloc(size)) });
  const file = { name: "a", mediaType: "application/octet-stream", bytes, open: () => content };
  const { url, connections } = await startSmallApp(
    {
      large: {
        answer: "file",
        answersAs: ["application/octet-stream"],
        handle: () => ({ kind: "file", file }),
      },
    },
    { limits },
  );
  const socket = await connectTo(url);
  socket.write(request);
  await expect.poll(() => content.destroyed).toBe(true);
  await expect.poll(() => connections()).toBe(0);
});

test("a caller who waits for the server keeps the connection", async () => {
  const server = createServer((received, response) => {
    noteResponse(response);
    // Node.js emits this when no byte was sent or received for the time.
    for (let times = 0; times < 3; times += 1) server.emit("timeout", received.socket);
    response.end("done");
  });
  closeStalledConnections(server, 60_000);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const socket = await connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  socket.write(request.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[^]*done/);
});

test("a caller who does not begin the TLS handshake loses the connection", async () => {
  const { url } = await startSmallApp(
    {},
    { limits: { requestMilliseconds: 100 }, config: { tls: { cert: "", key: "" } } },
  );
  const socket = await connectTo(url);
  socket.resume();
  await once(socket, "close");
});

test("a request for a tunnel is refused, and its connection is closed", async () => {
  const { url } = await startSmallApp({});
  const answer = await sendRaw(
    url,
    "CONNECT a.example:443 HTTP/1.1\r\nhost: a.example:443\r\n\r\n",
  );
  expect(answer.status).toBe(400);
  expect(answer.head).toContain("connection: close");
  expect(answer.body).toContain("CONNECT is for proxies, and this server is not a proxy");
});

test("a large response is sent in pieces, whose ends show that the caller takes bytes", async () => {
  const body = "é😀".repeat(300_000);
  const pieces: Buffer[] = [];
  const response = new PassThrough();
  endWith(response as never, body, "utf8");
  for await (const piece of response) pieces.push(piece as Buffer);
  expect(Buffer.concat(pieces).toString()).toBe(body);
  expect(pieces.length).toBeGreaterThan(3);
});
