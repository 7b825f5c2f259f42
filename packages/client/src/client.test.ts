import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { ScriptedServer, envelope } from "../tests/support/scripted-server.ts";
import { TestClock } from "../tests/support/test-clock.ts";
import { createClient, type Client } from "./client.ts";
import {
  AuthenticationError,
  ClientError,
  NetworkError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
} from "./errors.ts";
import type { ClientOptions } from "./options.ts";

const clientId = "0123456789abcdef0123456789abcdef";
const clientSecret = "s3cret+/&=%-that-nobody-may-ever-read-xx";

function start(options: Partial<ClientOptions> = {}) {
  const server = new ScriptedServer();
  const clock = new TestClock();
  const baseUrl = "https://api.test/prefix/";
  const client = createClient({
    baseUrl,
    clientId,
    clientSecret,
    fetch: server.fetch,
    clock,
    ...options,
  });
  return { server, clock, client };
}

/** What a call rejects with. */
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.fail("the call succeeded"),
    (error: unknown) => error,
  );

describe("a call", () => {
  it("is sent to the documented path below the base URL", async () => {
    const { server, client } = start({ userAgent: "tester/1" });
    await client.call("indicator.combined.v1", { query: { limit: 5, filter: "value:'a+b&c'" } });
    const [call] = server.calls;
    expect(call?.method).toBe("GET");
    expect(call?.url).toBe(
      "/prefix/iocs/combined/indicator/v1?limit=5&filter=value%3A%27a%2Bb%26c%27",
    );
    expect(call?.headers.get("accept")).toBe("application/json");
    expect(call?.headers.get("authorization")).toBe("Bearer token-1");
    expect(call?.headers.get("user-agent")).toBe("tester/1");
    expect(call?.headers.has("content-type")).toBe(false);
    expect(call?.body).toBe("");
  });

  it("sends the same by its readable method", async () => {
    const { server, client } = start();
    await client.call("indicator.create.v1", {
      query: { ignore_warnings: true },
      body: { indicators: [], comment: "c" },
    });
    await client.ioc.createIndicators({
      ignore_warnings: true,
      body: { indicators: [], comment: "c" },
    });
    const [byId, byName] = server.calls.map(({ method, url, body }) => ({ method, url, body }));
    expect(byId).toEqual({
      method: "POST",
      url: "/prefix/iocs/entities/indicators/v1?ignore_warnings=true",
      body: '{"indicators":[],"comment":"c"}',
    });
    expect(byName).toEqual(byId);
    expect(server.calls[0]?.headers.get("content-type")).toBe("application/json");
  });

  it("gives data, page and response", async () => {
    const { server, client } = start();
    const headers = {
      "x-trace-id": "t",
      "x-pagination-limit": "2",
      "x-pagination-after": "cursor",
      "x-ratelimit-limit": "6000",
      "x-ratelimit-remaining": "5999",
    };
    server.answer = () => ({ headers, body: ["a", "b"] });
    const { data, page, response } = await client.ioc.listIndicatorIds();
    expect(data).toEqual(["a", "b"]);
    expect(page).toMatchObject({ limit: 2, after: "cursor" });
    expect(response).toMatchObject({
      status: 200,
      traceId: "t",
      rateLimit: { limit: 6000, remaining: 5999 },
    });
    expect(response.headers.get("x-pagination-limit")).toBe("2");
    expect((await client.ioc.getIndicators({ ids: ["a"] })).page).toBeUndefined();
  });

  it("takes any success for one", async () => {
    const { server, client } = start();
    server.answer = () => ({ status: 201, body: ["a"] });
    expect((await client.ioc.listIndicatorIds()).data).toEqual(["a"]);
  });

  it("refuses what is not an operation", async () => {
    const { server, client } = start();
    const call = client.call as (id: string) => Promise<unknown>;
    expect(await failure(call("toString"))).toEqual(
      new TypeError("there is no operation toString"),
    );
    expect(server.tokenRequests).toHaveLength(0);
  });

  it("finds its input wrong before it asks for a token", async () => {
    const { server, client } = start();
    expect(await failure(client.ioc.getIndicators({ ids: [] }))).toBeInstanceOf(RangeError);
    expect(server.tokenRequests).toHaveLength(0);
  });
});

describe("the token", () => {
  it("is asked for once, with the credentials in the body", async () => {
    const { server, client } = start({
      memberCid: "c".repeat(32),
      scopes: ["ioc-management:read"],
    });
    await Promise.all(Array.from({ length: 100 }, () => client.ioc.listPlatforms()));
    expect(server.calls).toHaveLength(100);
    expect(new Set(server.tokens)).toEqual(new Set(["token-1"]));
    expect(server.tokenRequests).toHaveLength(1);
    const [request] = server.tokenRequests;
    expect(request?.url).toBe("/prefix/oauth2/token");
    expect(request?.headers.has("authorization")).toBe(false);
    expect(request?.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      member_cid: "c".repeat(32),
      scope: "ioc-management:read",
    });
  });

  it("is replaced once when it is refused, for all calls that it was refused to", async () => {
    const { server, client } = start();
    server.answer = ({ headers }) =>
      headers.get("authorization") === "Bearer token-1"
        ? envelope(401, "access denied, invalid bearer token")
        : { body: ["windows"] };
    const answers = await Promise.all([client.ioc.listPlatforms(), client.ioc.listPlatforms()]);
    expect(answers.map(({ data }) => data)).toEqual([["windows"], ["windows"]]);
    expect(server.tokens).toEqual(["token-1", "token-1", "token-2", "token-2"]);
    expect(server.tokenRequests).toHaveLength(2);
  });

  it("is not replaced twice", async () => {
    const { server, client } = start();
    server.answer = () => envelope(401, "access denied, invalid bearer token");
    const error = await failure(client.ioc.listPlatforms());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, operationId: "platform.query.v1" });
    expect(server.tokens).toEqual(["token-1", "token-2"]);
  });

  it("sends the body again with the new token", async () => {
    const { server, client } = start();
    server.answer = () =>
      server.calls.length === 1 ? envelope(401, "no") : { status: 201, body: [] };
    await client.ioc.createIndicators({ body: { indicators: [] } });
    expect(server.calls.map(({ body }) => body)).toEqual(Array(2).fill('{"indicators":[]}'));
  });

  it("is not asked for again because a scope is missing", async () => {
    const { server, client } = start();
    server.answer = () => envelope(403, "insufficient_scope");
    await failure(client.ioc.listPlatforms());
    expect(server.tokens).toEqual(["token-1"]);
  });

  it.each([
    [envelope(401, "access denied: unknown client id"), AuthenticationError],
    [envelope(400, "scope nothing is unknown"), AuthenticationError],
    [envelope(403, "not a child"), AuthenticationError],
    [envelope(429, "too many"), RateLimitError],
    [envelope(500, "internal error"), ServerError],
    [{ status: 200, body: "<html>" }, UnexpectedResponseError],
    [{ status: 201, body: { access_token: "x" } }, UnexpectedResponseError],
  ])(
    "that is not granted fails the call, and the next call asks again: %j",
    async (reply, type) => {
      const { server, client } = start();
      const grant = server.grant;
      server.grant = () => reply;
      const error = await failure(client.ioc.listPlatforms());
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ operationId: "oauth2AccessToken", path: "/oauth2/token" });
      expect(server.calls).toHaveLength(0);
      server.grant = grant;
      await client.ioc.listPlatforms();
      expect(server.tokens).toEqual(["token-2"]);
    },
  );

  it("is renewed early, without a wait", async () => {
    const { server, clock, client } = start();
    await client.ioc.listPlatforms();
    clock.advance(1_700_000);
    await client.ioc.listPlatforms();
    expect(server.tokens).toEqual(["token-1", "token-1"]);
    await expect.poll(() => server.tokenRequests.length).toBe(2);
    await client.ioc.listPlatforms();
    expect(server.tokens.at(-1)).toBe("token-2");
  });

  it("is revoked with the client's credentials, and replaced by the next call", async () => {
    const { server, client } = start();
    await client.revokeToken();
    expect(server.calls).toHaveLength(0);
    await client.ioc.listPlatforms();
    server.answer = () => envelope(200);
    await client.revokeToken();
    const revocation = server.calls.at(-1);
    expect(revocation?.url).toBe("/prefix/oauth2/revoke");
    expect(revocation?.body).toBe("token=token-1");
    const basic = atob(revocation?.headers.get("authorization")?.replace("Basic ", "") ?? "");
    expect(basic.split(":").map((part) => new URLSearchParams(`_=${part}`).get("_"))).toEqual([
      clientId,
      clientSecret,
    ]);
    server.answer = () => ({ body: [] });
    await client.ioc.listPlatforms();
    expect(server.tokens.at(-1)).toBe("token-2");
  });

  it("is revoked on closing, and no call is sent after that", async () => {
    const { server, client } = start();
    await client.ioc.listPlatforms();
    server.answer = () => envelope(200);
    await client.close();
    await client.close();
    expect(server.calls.map(({ url }) => url)).toEqual([
      "/prefix/iocs/queries/platforms/v1",
      "/prefix/oauth2/revoke",
    ]);
    expect(await failure(client.ioc.listPlatforms())).toBeInstanceOf(ClientError);
    expect(server.calls).toHaveLength(2);
  });

  it("outlives the calls that are under way on closing", async () => {
    const { server, client } = start();
    server.answer = () => ({ body: ["windows"] });
    const call = client.ioc.listPlatforms();
    const closed = client.close();
    expect((await call).data).toEqual(["windows"]);
    server.answer = () => envelope(200);
    await closed;
    expect(server.calls.at(-1)?.body).toBe("token=token-1");
    expect(server.tokenRequests).toHaveLength(1);
  });
});

describe("the token operations", () => {
  it("take other credentials in the body", async () => {
    const { server, client } = start();
    const body = { client_id: "other", client_secret: "theirs" };
    const { data } = await client.oauth2.createToken({ body });
    expect(data.access_token).toBe("token-1");
    expect(server.tokenRequests[0]?.headers.has("authorization")).toBe(false);
    expect(server.tokenRequests[0]?.body).toBe("client_id=other&client_secret=theirs");
  });

  it("take the client's own by default", async () => {
    const { server, client } = start();
    await client.call("oauth2AccessToken", { body: { grant_type: "client_credentials" } });
    expect(server.tokenRequests[0]?.headers.get("authorization")).toMatch(/^Basic /);
  });
});

describe("secrets", () => {
  it("appear in no error, and not in the client", async () => {
    const { server, client } = start();
    await client.ioc.listPlatforms();
    const shown: unknown[] = [client];
    server.answer = () => envelope(401, "access denied");
    shown.push(await failure(client.ioc.listPlatforms()));
    server.answer = () => {
      throw new TypeError("fetch failed");
    };
    shown.push(await failure(client.ioc.listPlatforms()));
    server.answer = () => ({ status: 200, body: "<html>" });
    shown.push(await failure(client.ioc.listPlatforms()));
    server.answer = () => ({ status: 302, headers: { location: "https://other.test/?a=b" } });
    shown.push(await failure(client.ioc.listPlatforms()));
    server.answer = () => envelope(500, "internal error");
    shown.push(await failure(client.revokeToken()));
    const text = shown
      .flatMap((item) => [
        inspect(item, { depth: Infinity, showHidden: true, getters: true }),
        String(item),
        JSON.stringify(item),
        ...(item instanceof Error ? [item.message, item.stack] : []),
      ])
      .join("\n");
    expect(text).toContain("platform.query.v1");
    expect(text).not.toMatch(/token-\d|Basic |Bearer /);
    expect(text).not.toContain(clientSecret);
    expect(text).not.toContain(encodeURIComponent(clientSecret));
    expect(text).not.toContain("a=b");
  });

  it("appear in no URL", async () => {
    const { server, client } = start();
    await client.ioc.listPlatforms();
    server.answer = () => envelope(200);
    await client.revokeToken();
    const urls = [...server.calls, ...server.tokenRequests].map(({ url }) => url).join("\n");
    expect(urls).not.toMatch(/token-1|secret/i);
  });
});

describe("no answer", () => {
  it("is a NetworkError that tells operation and reason", async () => {
    const { server, client } = start();
    const cause = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    server.answer = () => Promise.reject(cause);
    const error = await failure(client.ioc.getIndicators({ ids: ["a"] }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      name: "NetworkError",
      operationId: "indicator.get.v1",
      method: "GET",
      path: "/iocs/entities/indicators/v1",
      cause,
      message:
        "indicator.get.v1 (GET /iocs/entities/indicators/v1) got no answer: connect ECONNREFUSED",
    });
  });

  it("in time is a TimeoutError", async () => {
    const { client } = start({ fetch: unanswered, timeoutMilliseconds: 1 });
    const error = await failure(client.ioc.listPlatforms());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ operationId: "oauth2AccessToken" });
  });

  it("in the time of one call is that call's own", async () => {
    const { server, client } = start();
    server.answer = () => new Promise(() => undefined);
    const fetch: typeof server.fetch = (request) =>
      request.url.endsWith("/oauth2/token") ? server.fetch(request) : unanswered(request);
    const hasty = start({ fetch }).client;
    const call = hasty.ioc.listPlatforms({}, { timeoutMilliseconds: 1 });
    expect(await failure(call)).toBeInstanceOf(TimeoutError);
    const never = client.ioc.listPlatforms({}, { timeoutMilliseconds: 0 });
    expect(await failure(never)).toBeInstanceOf(RangeError);
  });

  it("is wanted any more after an abort, which is no error of ours", async () => {
    const { server, client } = start();
    const controller = new AbortController();
    const reason = new Error("enough");
    server.answer = () => {
      controller.abort(reason);
      return { body: [] };
    };
    const { signal } = controller;
    expect(await failure(client.ioc.listPlatforms({}, { signal }))).toBe(reason);
    expect(await failure(client.ioc.listPlatforms({}, { signal }))).toBe(reason);
    expect(server.calls).toHaveLength(1);
  });

  it("is asked for by a call that was given up before it began", async () => {
    const { server, client } = start();
    const signal = AbortSignal.abort(new Error("enough"));
    expect(await failure(client.ioc.listPlatforms({}, { signal }))).toBe(signal.reason);
    expect(server.tokenRequests).toHaveLength(0);
  });

  it("of one who gives up leaves the token to the others", async () => {
    const { server, client } = start();
    const granted = Promise.withResolvers<void>();
    const grant = server.grant;
    server.grant = async (received) => {
      await granted.promise;
      return grant(received);
    };
    const controller = new AbortController();
    const { signal } = controller;
    const givenUp = failure(client.ioc.listPlatforms({}, { signal }));
    const patient = client.ioc.listPlatforms();
    controller.abort();
    expect(await givenUp).toMatchObject({ name: "AbortError" });
    granted.resolve();
    await patient;
    expect(server.tokens).toEqual(["token-1"]);
  });
});

/** Waits for the request to be given up. */
const unanswered = (request: Request): Promise<Response> =>
  new Promise((_, reject) => {
    request.signal.addEventListener("abort", () => reject(request.signal.reason));
  });

describe("createClient", () => {
  const valid = { baseUrl: "https://api.test", clientId, clientSecret };

  it.each([
    [{ baseUrl: "api.test" }, "baseUrl is not an absolute URL"],
    [{ baseUrl: "ftp://api.test" }, "baseUrl must start with"],
    [{ baseUrl: "https://a:b@api.test" }, "baseUrl holds credentials"],
    [{ baseUrl: "https://api.test/?x=1" }, "baseUrl must end with its path"],
    [{ clientId: "" }, "clientId"],
    [{ clientSecret: "" }, "clientSecret"],
    [{ memberCid: "" }, "memberCid"],
    [{ scopes: [] }, "scopes is an empty list"],
    [{ timeoutMilliseconds: 0 }, "timeoutMilliseconds must be"],
    [{ timeoutMilliseconds: Number.NaN }, "timeoutMilliseconds must be"],
    [{ timeoutMilliseconds: 2 ** 31 }, "timeoutMilliseconds must be"],
  ])("refuses %j", (wrong, message) => {
    expect(() => createClient({ ...valid, ...wrong })).toThrow(message);
  });

  it("never shows a wrong secret", () => {
    expect(() => createClient({ ...valid, clientSecret: 5 as unknown as string })).toThrow(
      /^clientSecret must be a text that is not empty$/,
    );
  });

  it("takes no time limit, and the runtime's own fetch", () => {
    const client: Client = createClient({ ...valid, timeoutMilliseconds: Infinity });
    expect(Object.isFrozen(client)).toBe(true);
  });
});
