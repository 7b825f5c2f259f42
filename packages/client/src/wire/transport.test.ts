import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { createFinalURL, createQuerySerializer, defaultPathSerializer } from "openapi-fetch";
import { describe, expect, test, onTestFinished } from "vitest";
import { createTransport, type TransportRequest } from "./transport.ts";

/** A transport to an HTTP server with this `listener`. */
async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<(request: TransportRequest) => Promise<Response>> {
  const server: Server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const transport = createTransport(`http://127.0.0.1:${port}`, fetch);
  return (each) => transport(each)();
}

const request = (overrides: Partial<TransportRequest> = {}): TransportRequest => ({
  method: "GET",
  path: "/x",
  pathParameters: {},
  query: {},
  headers: [],
  body: undefined,
  signal: new AbortController().signal,
  restartLimit: () => undefined,
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
  test("names the operation of a value that no request can contain", () => {
    const transport = createTransport("http://127.0.0.1", fetch);
    expect(() => transport(request({ headers: [{ "x-team": "a\nb" }] }))).toThrow(
      /^GET \/x: .*a\nb.* is an invalid header value/,
    );
    expect(() => transport(request({ query: { filter: "\ud800" } }))).toThrow(
      new TypeError("GET /x: URI malformed"),
    );
  });

  test("writes the URLs that openapi-fetch writes with its own serializers", () => {
    const scalar = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean());
    const inputs = fc.record({
      pathParameters: fc.record({ uuid: fc.oneof(fc.string({ minLength: 1 }), fc.integer()) }),
      query: fc.dictionary(fc.stringMatching(/^[a-z_.-]+$/), fc.oneof(scalar, fc.array(scalar))),
    });
    const baseUrl = "https://api.test/under/path";
    fc.assert(
      fc.property(inputs, ({ pathParameters, query }) => {
        let sent = "";
        const transport = createTransport(baseUrl, async (url) => {
          sent = url;
          return new Response();
        });
        const path = "/reports/{uuid}";
        void transport(request({ path, pathParameters, query }))();
        const wanted = createFinalURL(path, {
          baseUrl,
          params: { path: pathParameters, query },
          querySerializer: createQuerySerializer(),
          pathSerializer: defaultPathSerializer,
        });
        expect(sent).toBe(wanted);
      }),
    );
  });

  test("writes path and query", async () => {
    const send = await serve(echo);
    const response = await send(
      request({
        path: "/reports/{uuid}",
        pathParameters: { uuid: "a/b c" },
        query: { ids: ["1", "2"], filter: "a:'x'+b:['y','z']", empty: "", no: false, zero: 0 },
      }),
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      method: "GET",
      url:
        "/reports/a%2Fb%20c?ids=1&ids=2&filter=a%3A%27x%27%2Bb%3A%5B%27y%27%2C%27z%27%5D" +
        "&empty=&no=false&zero=0",
      body: "",
    });
  });

  test("sends a body unchanged, including a stream", async () => {
    const send = await serve(echo);
    const headers = [{ "content-type": "text/plain" }];
    const body = "ä";
    const sent = { method: "PATCH", url: "/x", type: "text/plain", body };
    const whole = await send(request({ method: "PATCH", headers, body }));
    expect(await whole.json()).toEqual(sent);
    const stream = new Blob([body]).stream();
    const streamed = await send(request({ method: "PATCH", headers, body: stream }));
    expect(await streamed.json()).toEqual(sent);
  });

  test("does not follow redirects", async () => {
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

  test("rejects with the error of fetch", async () => {
    const send = await serve((_, response) => void response.destroy());
    await expect(send(request())).rejects.toThrow(TypeError);
    const controller = new AbortController();
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(send(request({ signal: controller.signal }))).rejects.toBe(reason);
  });
});
