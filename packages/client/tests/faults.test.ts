/** What a caller reads when something between the client and the API is wrong. The sockets are real. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { createServer as createTlsServer } from "node:https";
import { expect, test, onTestFinished, describe } from "vitest";
import { createClient, type Client, type ClientOptions } from "../src/index.ts";
import { newCertificate } from "./support/certificates.ts";
import { clientId, clientSecret, failure } from "./support/scripted-client.ts";
import { TestClock } from "./support/test-clock.ts";

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const token = JSON.stringify({ access_token: "token-1", token_type: "bearer", expires_in: 1_799 });

/** A server that grants tokens and answers other requests with this. */
const behindTokens =
  (answer: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url !== "/oauth2/token") return answer(request, response);
    response.writeHead(201, { "content-type": "application/json" }).end(token);
  };

const connect = (baseUrl: string, options: ClientOptions = {}): Client =>
  createClient({ baseUrl, clientId, clientSecret, clock: new TestClock(), retries: 0, ...options });

async function clientOf(answer: RequestListener, options?: ClientOptions): Promise<Client> {
  return connect(`http://127.0.0.1:${await listen(createServer(behindTokens(answer)))}`, options);
}

const list = async (client: Client): Promise<string> =>
  String(await failure(client.ioc.listPlatforms()));
const create = async (client: Client): Promise<string> =>
  String(await failure(client.ioc.createIndicators({ body: { indicators: [] } })));

const listing = "platform.query.v1 (GET /iocs/queries/platforms/v1)";
const creating = "indicator.create.v1 (POST /iocs/entities/indicators/v1)";
const tokenRequest = "oauth2AccessToken (POST /oauth2/token)";
const doubt = "; it may have been carried out: read the records before a retry";
const other = "; a proxy or another API may have responded; check baseUrl";

describe("the error of a call", () => {
  test("names a connection that is refused", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    server.close();
    await once(server, "close");
    expect(await create(connect(`http://127.0.0.1:${port}`))).toBe(
      `NetworkError: ${tokenRequest} received no response: connect ECONNREFUSED 127.0.0.1:${port}; ` +
        "check baseUrl, and that the server runs",
    );
    // A name with two addresses has two reasons.
    expect(await list(connect(`http://localhost:${port}`))).toContain(
      `ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  test("names a host that does not exist", async () => {
    expect(await list(connect("http://api.invalid"))).toMatch(
      /received no response: getaddrinfo (?:ENOTFOUND|EAI_AGAIN) api\.invalid; check the host name in baseUrl, and the DNS$/,
    );
  });

  test.each([
    [
      "an unknown issuer",
      {},
      "; set NODE_EXTRA_CA_CERTS to a file with the certificate of the issuer",
    ],
    [
      "another name",
      { name: "other.test", trusted: true },
      "; use a name in baseUrl that the certificate contains",
    ],
    [
      "an expired certificate",
      { expired: true, trusted: true },
      "; renew the server's certificate, or set the clock of this machine",
    ],
  ] as const)("says what to do about %s", async (_, wrong, remedy) => {
    const certificate = await newCertificate(wrong);
    onTestFinished(certificate.untrust);
    const port = await listen(createTlsServer(certificate.options));
    const error = await failure(connect(`https://127.0.0.1:${port}`).ioc.listPlatforms());
    expect(error).toMatchObject({ name: "NetworkError", mayHaveActed: false });
    expect(String(error)).toMatch(/received no response: .+/);
    expect(String(error).endsWith(remedy)).toBe(true);
  });

  test("asks for the other protocol when the server does not speak TLS", async () => {
    const port = await listen(createServer());
    expect(await list(connect(`https://127.0.0.1:${port}`))).toMatch(
      /; check whether baseUrl needs https:\/\/ or http:\/\/$/,
    );
  });

  test.each([
    ["a list", list, `${listing} received`, "list", ""],
    ["a creation", create, `${creating} received`, "list", doubt],
    [
      "a file",
      async (client: Client) => String(await failure(client.container.downloadExport({ id: "a" }))),
      "DownloadExportFile (GET /container-security/entities/exports/files/v1) received",
      "file",
      "",
    ],
    [
      "an empty answer",
      async (client: Client) => String(await failure(client.container.createScanTicket())),
      "HeadImageScanInventory (HEAD /image-assessment/entities/image-inventory/v1) received",
      "none",
      "",
    ],
  ] as const)(
    "names the page of a proxy instead of %s",
    async (_, call, subject, expected, end) => {
      const client = await clientOf((_request, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>");
      });
      const text = await call(client);
      expect(text).toContain(subject);
      expect(text.endsWith(`, expected: ${expected} (status 200)${other}${end}`)).toBe(true);
    },
  );

  test.each([
    ["an empty body", "", "no body, expected: list"],
    ["cut-off JSON", '["a', "invalid or truncated JSON, expected: list"],
    ["an answer of another API", '{"ok":true}', "a body of type application/json, expected: list"],
  ])("names %s", async (_, body, expected) => {
    const client = await clientOf((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    expect(await list(client)).toBe(
      `UnexpectedResponseError: ${listing} received ${expected} (status 200)${other}`,
    );
  });

  test("says that a body was cut off, and that the server may have acted", async () => {
    const client = await clientOf((_request, response) => {
      response.writeHead(201, { "content-type": "application/json", "content-length": "100" });
      response.write("[", () => response.destroy());
    });
    expect(await list(client)).toMatch(/^NetworkError: .* lost the response after status 201: .+$/);
    const error = await failure(client.ioc.createIndicators({ body: { indicators: [] } }));
    expect(error).toMatchObject({ name: "NetworkError", attempts: 1, mayHaveActed: true });
    expect(String(error).endsWith(doubt)).toBe(true);
  });

  test("says that a creation without an answer may have been carried out", async () => {
    const client = await clientOf((request) => request.socket.destroy());
    expect(await list(client)).not.toContain(doubt);
    expect((await create(client)).endsWith(doubt)).toBe(true);
  });

  test("says of a missing record that an earlier deletion may have deleted it", async () => {
    let count = 0;
    const client = await clientOf(
      (request, response) => {
        if ((count += 1) === 1) return void request.socket.destroy();
        response.writeHead(404, { "content-type": "application/json" });
        response.end('{"meta":{},"errors":[{"code":404,"message":"no such indicator"}]}');
      },
      { retries: 1 },
    );
    const error = await failure(client.ioc.deleteIndicators({ ids: ["a"] }));
    expect(error).toMatchObject({ name: "NotFoundError", attempts: 2, mayHaveActed: true });
    expect(String(error).endsWith(`no such indicator (after 2 attempts)${doubt}`)).toBe(true);
  });

  test("tells where a redirect leads, which is not followed", async () => {
    let count = 0;
    const client = await clientOf((_request, response) => {
      count += 1;
      response.writeHead(302, { location: "https://other.test/sign-in?token=x" }).end();
    });
    expect(await create(client)).toBe(
      `UnexpectedResponseError: ${creating} received ` +
        "a redirect to https://other.test/sign-in, not followed; check baseUrl (status 302)",
    );
    expect(count).toBe(1);
  });

  test("names a server that never answers", async () => {
    const client = await clientOf(() => undefined);
    const call = client.ioc.listPlatforms({}, { timeoutMilliseconds: 100 });
    expect(String(await failure(call))).toBe(
      `TimeoutError: ${listing} received no complete response within 100 ms; ` +
        "raise timeoutMilliseconds",
    );
  });

  test("names a token endpoint that is down", async () => {
    const port = await listen(
      createServer((_request, response) => {
        response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
      }),
    );
    const error = await failure(
      connect(`http://127.0.0.1:${port}`, { retries: 1 }).ioc.listPlatforms(),
    );
    expect(String(error)).toBe(
      `ServerError: ${tokenRequest} failed with status 502: text/html, expected: envelope; ` +
        "a proxy or another API may have responded (after 2 attempts)",
    );
  });

  test("has the number of attempts when the last answer is unexpected", async () => {
    let count = 0;
    const client = await clientOf(
      (_request, response) => {
        response.writeHead((count += 1) === 1 ? 503 : 200, { "content-type": "application/json" });
        response.end("{}");
      },
      { retries: 1 },
    );
    expect(await failure(client.ioc.listPlatforms())).toMatchObject({
      name: "UnexpectedResponseError",
      attempts: 2,
    });
  });
});

describe("a clock that is an hour wrong", () => {
  test("does not change the time to wait", async () => {
    const clock = new TestClock();
    let count = 0;
    const client = await clientOf(
      (_request, response) => {
        const serverTime = clock.now().getTime() + 3_600_000;
        const headers = {
          "content-type": "application/json",
          date: new Date(serverTime).toUTCString(),
          "retry-after": new Date(serverTime + 7_000).toUTCString(),
        };
        response.writeHead((count += 1) === 1 ? 429 : 200, headers).end("[]");
      },
      { retries: 1, clock },
    );
    await client.ioc.listPlatforms();
    expect(clock.sleeps).toEqual([7_000]);
  });
});

describe("the response itself", () => {
  test("also has a time limit for its body", async () => {
    const client = await clientOf((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write("[");
    });
    const response = await client.ioc.listPlatforms.raw({}, { timeoutMilliseconds: 100 });
    expect(await failure(response.text())).toMatchObject({
      name: "TimeoutError",
      operationId: "platform.query.v1",
    });
  });
});
