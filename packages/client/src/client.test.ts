import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientId, clientSecret, failure, start } from "../tests/support/scripted-client.ts";
import { createClient, type Client } from "./client.ts";
import { NetworkError, TimeoutError } from "./wire/errors.ts";

describe("a call", () => {
  test("is sent to the documented path below the base URL", async () => {
    const { server, client } = start({ userAgent: "tester/1" });
    await client.call("indicator.combined.v1", { limit: 5, filter: "value:'a+b&c'" });
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

  test("is the same by its id and by its method", async () => {
    const { server, client } = start();
    const input = { ignore_warnings: true, body: { indicators: [], comment: "c" } };
    await client.call("indicator.create.v1", input);
    await client.ioc.createIndicators(input);
    const [byId, byName] = server.calls.map(({ method, url, body }) => ({ method, url, body }));
    expect(byId).toEqual({
      method: "POST",
      url: "/prefix/iocs/entities/indicators/v1?ignore_warnings=true",
      body: '{"indicators":[],"comment":"c"}',
    });
    expect(byName).toEqual(byId);
    expect(server.calls[0]?.headers.get("content-type")).toBe("application/json");
  });

  test("returns data, page and response", async () => {
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
    expect(await client.ioc.getIndicators({ ids: ["a"] })).not.toHaveProperty("page");
  });

  test("accepts any success status", async () => {
    const { server, client } = start();
    server.answer = () => ({ status: 201, body: ["a"] });
    expect((await client.ioc.listIndicatorIds()).data).toEqual(["a"]);
  });

  test("that fails and that nobody awaits is reported by the runtime", async () => {
    const { server, client } = start();
    server.answer = () => ({ status: 403 });
    const event = "unhandledRejection";
    const listeners = process.listeners(event);
    process.removeAllListeners(event);
    onTestFinished(() => {
      process.removeAllListeners(event);
      for (const each of listeners) process.on(event, each);
    });
    const reported: unknown[] = [];
    process.on(event, (error) => reported.push(error));
    void client.ioc.deleteIndicators({ ids: ["a"] });
    await failure(client.ioc.deleteIndicators({ ids: ["b"] }));
    await setImmediate();
    expect(reported).toMatchObject([{ name: "PermissionError" }]);
  });

  test("keeps its own error when the token cannot be revoked at the end of the block", async () => {
    const { server, client } = start({ retries: 0 });
    const block = async (): Promise<void> => {
      await using used = client;
      await used.ioc.listPlatforms();
      server.answer = () => ({ status: 500 });
      throw new Error("the block's own");
    };
    await expect(block()).rejects.toThrow(/^the block's own$/);
    expect(server.calls.at(-1)?.body).toBe("token=token-1");
  });

  test("rejects an unknown operation", async () => {
    const { server, client } = start();
    const call = client.call as (id: string) => unknown;
    expect(() => call("toString")).toThrow(new TypeError("unknown operation toString"));
    expect(() => call("indicator.gett.v1")).toThrow(
      new TypeError("unknown operation indicator.gett.v1; did you mean indicator.get.v1?"),
    );
    expect(server.tokenRequests).toHaveLength(0);
  });

  test("validates its input before it requests a token", async () => {
    const { server, client } = start();
    expect(await failure(client.ioc.getIndicators({ ids: [] }))).toBeInstanceOf(RangeError);
    expect(server.tokenRequests).toHaveLength(0);
  });
});

describe("the token operations", () => {
  test("accept other credentials in the body", async () => {
    const { server, client } = start();
    const body = { client_id: "other", client_secret: "theirs" };
    const { data } = await client.oauth2.createToken({ body });
    expect(data.access_token).toBe("token-1");
    expect(server.tokenRequests[0]?.headers.has("authorization")).toBe(false);
    expect(server.tokenRequests[0]?.body).toBe("client_id=other&client_secret=theirs");
  });

  test("use the client's own credentials by default", async () => {
    const { server, client } = start();
    await client.call("oauth2AccessToken", { body: { grant_type: "client_credentials" } });
    expect(server.tokenRequests[0]?.headers.get("authorization")).toMatch(/^Basic /);
  });
});

describe("without a response, a call", () => {
  test("rejects with a NetworkError that names the operation and the reason", async () => {
    const { server, client } = start({ retries: 0 });
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
        "indicator.get.v1 (GET /iocs/entities/indicators/v1) received no response: connect ECONNREFUSED; check baseUrl, and that the server runs",
    });
  });

  test("rejects with a TimeoutError after the time limit", async () => {
    const { client } = start({ fetch: unanswered, timeoutMilliseconds: 1 });
    const error = await failure(client.ioc.listPlatforms());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ operationId: "oauth2AccessToken" });
  });

  test("uses the time limit of the call", async () => {
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

  test("rejects with the signal's reason when it is aborted", async () => {
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

  test("is not sent if it was aborted before", async () => {
    const { server, client } = start();
    const signal = AbortSignal.abort(new Error("enough"));
    expect(await failure(client.ioc.listPlatforms({}, { signal }))).toBe(signal.reason);
    expect(server.tokenRequests).toHaveLength(0);
  });

  test("keeps the token for other calls when it is aborted", async () => {
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

/** Resolves when the request is aborted. */
const unanswered = (request: Request): Promise<Response> =>
  new Promise((_, reject) => {
    request.signal.addEventListener("abort", () => reject(request.signal.reason));
  });

describe("createClient", () => {
  const valid = { baseUrl: "https://api.test", clientId, clientSecret };

  test.each([
    [{ baseUrl: "api.test" }, "baseUrl is not an absolute URL"],
    [{ baseUrl: "ftp://api.test" }, "baseUrl must start with"],
    [{ baseUrl: "https://a:b@api.test" }, "baseUrl must not contain credentials"],
    [{ baseUrl: "https://api.test/?x=1" }, "baseUrl must end with its path"],
    [{ clientId: "" }, "clientId"],
    [{ clientSecret: "" }, "clientSecret"],
    [{ memberCid: "" }, "memberCid"],
    [{ scopes: [] }, "scopes must not be an empty list"],
    [{ timeoutMilliseconds: 0 }, "timeoutMilliseconds must be"],
    [{ timeoutMilliseconds: Number.NaN }, "timeoutMilliseconds must be"],
    [{ timeoutMilliseconds: 2 ** 31 }, "timeoutMilliseconds must be"],
  ])("rejects %j", (wrong, message) => {
    expect(() => createClient({ ...valid, ...wrong })).toThrow(message);
  });

  test("never shows an invalid secret", () => {
    expect(() => createClient({ ...valid, clientSecret: 5 as unknown as string })).toThrow(
      /^clientSecret must be a non-empty string$/,
    );
  });

  test("accepts no time limit, and uses the runtime's fetch by default", () => {
    const client: Client = createClient({ ...valid, timeoutMilliseconds: Infinity });
    expect(Object.isFrozen(client)).toBe(true);
  });
});
