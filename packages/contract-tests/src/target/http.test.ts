import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { senderTo } from "./http.ts";

const get = { method: "GET", url: "/a", headers: {} };

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function serve(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(respond);
  onTestFinished(() => server.closeAllConnections());
  return listen(server);
}

/** Answers every request with these bytes. */
const serveBytes = (bytes: string | Buffer, connections = { count: 0 }) =>
  listen(
    createTcpServer((socket) => {
      connections.count += 1;
      socket.on("error", () => {});
      socket.on("data", () => socket.end(bytes));
    }),
  );

/** Answers with the lines of the request and with its body. */
const echo = () =>
  serve((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method, url, rawHeaders } = request;
      const body = Buffer.concat(parts).toString("hex");
      response.end(JSON.stringify({ method, url, rawHeaders, body }));
    });
  });

async function echoed(request: Parameters<ReturnType<typeof senderTo>>[0], path = "") {
  const { text } = await senderTo((await echo()) + path)(request, 10_000);
  const { rawHeaders, ...rest } = JSON.parse(text) as {
    readonly rawHeaders: readonly string[];
    readonly url: string;
    readonly body: string;
  };
  const valuesOf = (name: string) =>
    rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
  return { ...rest, valuesOf };
}

describe("a request", () => {
  test("has the base URL's path, and the given headers once", async () => {
    const { url, valuesOf } = await echoed(
      { ...get, url: "/a?b=%20", headers: { accept: "text/x", authorization: "Bearer t" } },
      "/base/",
    );
    expect(url).toBe("/base/a?b=%20");
    expect(valuesOf("accept")).toEqual(["text/x"]);
    expect(valuesOf("authorization")).toEqual(["Bearer t"]);
    expect(valuesOf("host")).toHaveLength(1);
    expect(valuesOf("content-length")).toEqual([]);
  });

  test.each([
    ["POST", "plain", "5"],
    ["DELETE", "plain", "5"],
    ["PATCH", "süß", "5"],
    ["POST", "", "0"],
    ["POST", undefined, "0"],
  ])("%s sends the bytes of the body %j and their number", async (method, body, length) => {
    const headers = { "content-type": "text/plain" };
    const sent = await echoed({
      method,
      url: "/",
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect(sent.valuesOf("content-length")).toEqual([length]);
    expect(sent.valuesOf("transfer-encoding")).toEqual([]);
    expect(sent.body).toBe(Buffer.from(body ?? "").toString("hex"));
  });
});

describe("a response", () => {
  test("has repeated headers as a list, also those that node:http would drop", async () => {
    const url = await serveBytes(
      "HTTP/1.1 200 OK\r\nX-One: 1\r\nx-one: 2\r\nretry-after: 1\r\nRetry-After: 2\r\ncontent-length: 0\r\n\r\n",
    );
    const { headers } = await senderTo(url)(get, 10_000);
    expect(headers).toMatchObject({ "x-one": "1, 2", "retry-after": "1, 2" });
  });

  test("with two content lengths is refused", async () => {
    const url = await serveBytes(
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[] ",
    );
    await expect(senderTo(url)(get, 10_000)).rejects.toThrow(/Content-Length/i);
  });

  test("is not followed to another place", async () => {
    const paths: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: "/b" }).end();
    });
    expect(await senderTo(url)(get, 10_000)).toMatchObject({ status: 302 });
    expect(paths).toEqual(["/a"]);
  });

  test("is decompressed, and a byte order mark is not part of its text", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("\uFEFF{}"));
    });
    expect(await senderTo(url)(get, 10_000)).toMatchObject({ status: 200, text: "{}" });
  });

  test("that is damaged is an error", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("{}").subarray(0, 9));
    });
    await expect(senderTo(url)(get, 10_000)).rejects.toThrow(/unexpected end of file/);
  });

  test("to a HEAD request has no body", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-length": 9 }).end();
    });
    const answer = await senderTo(url)({ ...get, method: "HEAD" }, 10_000);
    expect(answer).toMatchObject({ status: 200, text: "", headers: { "content-length": "9" } });
  });
});

describe("connections", () => {
  test("are used again", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    const send = senderTo(url);
    for (let sent = 0; sent < 3; sent += 1) await send(get, 10_000);
    expect(ports.size).toBe(1);
  });

  test("that the service closed unasked after a response are replaced", async () => {
    const connections = { count: 0 };
    // Keep-alive is the default of HTTP/1.1, so the response announces no close.
    const url = await serveBytes("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]", connections);
    const send = senderTo(url);
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await send(get, 10_000)).toMatchObject({ status: 200, text: "[]" });
    }
    expect(connections.count).toBe(5);
  });

  test("that break without a response are an error", async () => {
    const connections = { count: 0 };
    const url = await serveBytes("", connections);
    await expect(senderTo(url)(get, 10_000)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(connections.count).toBe(1);
  });
});
