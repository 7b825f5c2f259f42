import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTransport, type Transport, type TransportRequest } from "./transport.ts";

/** A transport to an HTTP server with this `listener`. */
async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Transport> {
  const server: Server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return createTransport(`http://127.0.0.1:${port}`, fetch);
}

const request = (overrides: Partial<TransportRequest> = {}): TransportRequest => ({
  method: "GET",
  path: "/x",
  pathParameters: {},
  query: {},
  headers: {},
  body: undefined,
  file: false,
  signal: new AbortController().signal,
  ...overrides,
});

/** The request, returned as JSON. */
const echo = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method, url, headers } = incoming;
  const body = await text(incoming);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ method, url, type: headers["content-type"], body }));
};

describe("transport", () => {
  it("writes path and query", async () => {
    const send = await serve(echo);
    const { status, payload } = await send(
      request({
        path: "/reports/{uuid}",
        pathParameters: { uuid: "a/b c" },
        query: { ids: ["1", "2"], filter: "a:'x'+b:['y','z']", empty: "", no: false, zero: 0 },
      }),
    );
    expect(status).toBe(200);
    expect(payload).toEqual({
      method: "GET",
      url:
        "/reports/a%2Fb%20c?ids=1&ids=2&filter=a%3A%27x%27%2Bb%3A%5B%27y%27%2C%27z%27%5D" +
        "&empty=&no=false&zero=0",
      body: "",
    });
  });

  it("sends a body unchanged, including a stream", async () => {
    const send = await serve(echo);
    const headers = { "content-type": "text/plain" };
    const body = "ä";
    const sent = { method: "PATCH", url: "/x", type: "text/plain", body };
    expect((await send(request({ method: "PATCH", headers, body }))).payload).toEqual(sent);
    const stream = new Blob([body]).stream();
    const streamed = await send(request({ method: "PATCH", headers, body: stream }));
    expect(streamed.payload).toEqual(sent);
  });

  it("reads errors and bodies that are not JSON", async () => {
    const send = await serve(({ url }, response) => {
      response.statusCode = Number(url?.slice(1));
      response.end(response.statusCode === 404 ? '{"errors":[]}' : "plain");
    });
    expect(await send(request({ path: "/404" }))).toMatchObject({
      status: 404,
      payload: { errors: [] },
    });
    expect(await send(request({ path: "/502" }))).toMatchObject({ status: 502, payload: "plain" });
    expect(await send(request({ path: "/200" }))).toMatchObject({ status: 200, payload: "plain" });
  });

  it("reads a response without a body", async () => {
    const send = await serve(({ url }, response) => {
      response.statusCode = Number(url?.slice(1));
      response.end();
    });
    for (const status of [200, 204, 500]) {
      const answer = await send(request({ path: `/${status}` }));
      expect(answer).toMatchObject({ status });
      expect(answer.payload ?? undefined).toBeUndefined();
    }
    const head = await send(request({ method: "HEAD", path: "/200" }));
    expect(head.payload).toBeUndefined();
  });

  it("reads a file byte for byte", async () => {
    const bytes = new Uint8Array([0xff, 0x00, 0x7b]);
    const send = await serve((_, response) => void response.end(bytes));
    const { payload } = await send(request({ file: true }));
    expect(payload).toBeInstanceOf(Blob);
    expect(new Uint8Array(await (payload as Blob).arrayBuffer())).toEqual(bytes);
  });

  it("does not follow redirects", async () => {
    const received: (string | undefined)[] = [];
    const send = await serve(({ url }, response) => {
      received.push(url);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    const { status, headers } = await send(request({ method: "POST", body: "secret" }));
    expect(status).toBe(307);
    expect(headers.get("location")).toBe("/elsewhere");
    expect(received).toEqual(["/x"]);
  });

  it("rejects with the error of fetch", async () => {
    const send = await serve((_, response) => void response.destroy());
    await expect(send(request())).rejects.toThrow(TypeError);
    const controller = new AbortController();
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(send(request({ signal: controller.signal }))).rejects.toBe(reason);
  });
});
