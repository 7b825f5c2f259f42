import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { clientId, clientSecret, failure, start } from "../../tests/support/scripted-client.ts";
import { envelope } from "../../tests/support/scripted-server.ts";
import {
  AuthenticationError,
  ClientError,
  RateLimitError,
  ServerError,
  UnexpectedResponseError,
} from "../errors.ts";

describe("the token", () => {
  test("is requested once, with the credentials in the body", async () => {
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

  test("is replaced once after a rejection, for all affected calls", async () => {
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

  test("is not replaced twice", async () => {
    const { server, client } = start();
    server.answer = () => envelope(401, "access denied, invalid bearer token");
    const error = await failure(client.ioc.listPlatforms());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, operationId: "platform.query.v1" });
    expect(server.tokens).toEqual(["token-1", "token-2"]);
  });

  test("sends the body again with the new token", async () => {
    const { server, client } = start();
    server.answer = () =>
      server.calls.length === 1 ? envelope(401, "no") : { status: 201, body: [] };
    await client.ioc.createIndicators({ body: { indicators: [] } });
    expect(server.calls.map(({ body }) => body)).toEqual(Array(2).fill('{"indicators":[]}'));
  });

  test("is not requested again for a missing scope", async () => {
    const { server, client } = start();
    server.answer = () => envelope(403, "insufficient_scope");
    await failure(client.ioc.listPlatforms());
    expect(server.tokens).toEqual(["token-1"]);
  });

  test.each([
    [envelope(401, "access denied: unknown client id"), AuthenticationError],
    [envelope(400, "scope nothing is unknown"), AuthenticationError],
    [envelope(403, "not a child"), AuthenticationError],
    [envelope(429, "too many"), RateLimitError],
    [envelope(500, "internal error"), ServerError],
    [{ status: 200, body: "<html>" }, UnexpectedResponseError],
    [{ status: 201, body: { access_token: "x" } }, UnexpectedResponseError],
    [{ status: 201, body: { access_token: "x\n", expires_in: 1_799 } }, UnexpectedResponseError],
  ])(
    "that is not granted fails the call, and the next call requests it again: %j",
    async (reply, type) => {
      const { server, client } = start({ retries: 0 });
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

  test("is renewed early, without delaying calls", async () => {
    const { server, clock, client } = start();
    await client.ioc.listPlatforms();
    clock.advance(1_700_000);
    await client.ioc.listPlatforms();
    expect(server.tokens).toEqual(["token-1", "token-1"]);
    await expect.poll(() => server.tokenRequests.length).toBe(2);
    await client.ioc.listPlatforms();
    expect(server.tokens.at(-1)).toBe("token-2");
  });

  test("is revoked together with the one that it replaced early", async () => {
    const { server, clock, client } = start();
    await client.ioc.listPlatforms();
    clock.advance(1_700_000);
    await client.ioc.listPlatforms();
    await expect.poll(() => server.tokenRequests.length).toBe(2);
    await client.ioc.listPlatforms();
    server.answer = () => envelope(200);
    await client.close();
    const revoked = server.calls.filter(({ url }) => url.endsWith("/oauth2/revoke"));
    expect(revoked.map(({ body }) => body)).toEqual(["token=token-1", "token=token-2"]);
  });

  test("is revoked with the client's credentials, and replaced by the next call", async () => {
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

  test("is revoked by close, and no call is sent after that", async () => {
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

  test("remains valid for calls in progress during close", async () => {
    const { server, client } = start();
    server.answer = () => ({ body: ["windows"] });
    const call = client.ioc.listPlatforms();
    const closed = Promise.all([client.close(), client.close()]);
    expect((await call).data).toEqual(["windows"]);
    server.answer = () => envelope(200);
    await closed;
    expect(server.calls.at(-1)?.body).toBe("token=token-1");
    expect(server.tokenRequests).toHaveLength(1);
  });
});

describe("secrets", () => {
  test("do not appear in errors or in the client", async () => {
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

  test("do not appear in a URL", async () => {
    const { server, client } = start();
    await client.ioc.listPlatforms();
    server.answer = () => envelope(200);
    await client.revokeToken();
    const urls = [...server.calls, ...server.tokenRequests].map(({ url }) => url).join("\n");
    expect(urls).not.toMatch(/token-1|secret/i);
  });
});
