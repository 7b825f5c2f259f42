import { expect, onTestFinished, test } from "vitest";
import { rotateSecret } from "../src/access/clients.ts";
import { sha256 } from "../src/access/secrets.ts";
import { resources } from "../src/platform/resources.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { startTestApi, type TestApi, type TestApiOptions } from "./support/api.ts";
import { forEachEngine } from "./support/engines.ts";
import { minutes, seconds } from "./support/manual-clock.ts";
import { sharedApi } from "./support/shared-api.ts";

interface ErrorBody {
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

const combined = "/iocs/combined/indicator/v1";
const indicators = "/iocs/entities/indicators/v1";
const token = "/oauth2/token";
const revoke = "/oauth2/revoke";
const form = (values: Record<string, string>): URLSearchParams => new URLSearchParams(values);

const fault = { operation_id: "indicator.combined.v1", status: 500 };

forEachEngine((engine) => {
  const { open: start } = sharedApi(engine);
  const startWith = async (options: Partial<TestApiOptions>): Promise<TestApi> =>
    startTestApi({ databaseUrl: await engine.url(), ...options });

  const credentials = ({ client }: TestApi): Record<string, string> => ({
    client_id: client.client_id,
    client_secret: client.client_secret,
  });

  test("a token is required in the header; the scheme ignores case", async () => {
    const api = await start();
    const missing = await api.request<ErrorBody>("GET", combined, { token: null });
    expect(missing.status).toBe(401);
    expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="security-platform"');
    const inQuery = await api.request("GET", combined, {
      token: null,
      query: { access_token: api.token },
    });
    expect(inQuery.status).toBe(401);
    const lowerCase = await api.request("GET", combined, {
      token: null,
      headers: { authorization: `bearer ${api.token}` },
    });
    expect(lowerCase.status).toBe(200);
  });

  test.each(["nonsense", "spt_", "a b"])("the token '%s' is rejected", async (bad) => {
    const api = await start();
    const answer = await api.request("GET", combined, { token: bad });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  test("a token with one changed character is invalid", async () => {
    const api = await start();
    const last = api.token.at(-1) === "A" ? "B" : "A";
    const answer = await api.request("GET", combined, { token: api.token.slice(0, -1) + last });
    expect(answer.status).toBe(401);
  });

  test("a token expires after its lifetime", async () => {
    const api = await start();
    api.clock.advance(seconds(1_798));
    expect((await api.request("GET", combined)).status).toBe(200);
    api.clock.advance(seconds(1));
    const answer = await api.request<ErrorBody>("GET", combined);
    expect(answer.status).toBe(401);
    expect(answer.body.errors[0]?.message).toContain("expired");
  });

  test("a revoked token is invalid at once, and revoking an unknown token succeeds", async () => {
    const api = await start();
    const body = form({ ...credentials(api), token: api.token });
    expect((await api.request("POST", revoke, { token: null, body })).status).toBe(200);
    expect((await api.request("GET", combined)).status).toBe(401);
    const unknown = form({ ...credentials(api), token: "spt_unknown" });
    expect((await api.request("POST", revoke, { token: null, body: unknown })).status).toBe(200);
  });

  test("a client cannot revoke the token of another", async () => {
    const api = await start();
    const other = await api.newTenant("other");
    const body = form({
      client_id: other.client.client_id,
      client_secret: other.client.client_secret,
      token: api.token,
    });
    expect((await api.request("POST", revoke, { token: null, body })).status).toBe(200);
    expect((await api.request("GET", combined)).status).toBe(200);
  });

  test("deleting a client revokes its tokens", async () => {
    const api = await start();
    await api.store.directory.deleteClient(api.client.client_id);
    expect((await api.request("GET", combined)).status).toBe(401);
  });

  test("a token is returned once, and never stored or logged as plain text", async () => {
    const api = await start();
    const answer = await api.request<Record<string, unknown>>("POST", token, {
      token: null,
      body: form({ ...credentials(api), grant_type: "client_credentials" }),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toMatchObject({ token_type: "bearer", expires_in: 1_799 });
  });

  test("credentials are sent by Basic or in the form, not both", async () => {
    const api = await start();
    const { client_id, client_secret } = api.client;
    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
    const byHeader = await api.request("POST", token, {
      token: null,
      headers: { authorization: basic },
      body: form({ grant_type: "client_credentials" }),
    });
    expect(byHeader.status).toBe(201);
    const both = await api.request("POST", token, {
      token: null,
      headers: { authorization: basic },
      body: form(credentials(api)),
    });
    expect(both.status).toBe(400);
    const none = await api.request<ErrorBody>("POST", token, {
      token: null,
      body: form({ grant_type: "client_credentials" }),
    });
    expect(none.body.errors.map(({ message }) => message)).toEqual([
      "body.client_id: is required without HTTP Basic",
      "body.client_secret: is required without HTTP Basic",
    ]);
  });

  test("a wrong secret and an unknown client result in the same response", async () => {
    const api = await start();
    const wrong = await api.request<ErrorBody>("POST", token, {
      token: null,
      body: form({ ...credentials(api), client_secret: "x".repeat(40) }),
    });
    const unknown = await api.request<ErrorBody>("POST", token, {
      token: null,
      body: form({ client_id: "0".repeat(32), client_secret: "x".repeat(40) }),
    });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body.errors).toEqual(unknown.body.errors);
  });

  test("token changes by another process apply to the next request", async () => {
    const databaseUrl = await engine.url();
    const api = await startTestApi({ databaseUrl });
    const elsewhere = await openStoreAt({ url: databaseUrl, clock: api.clock, resources });
    onTestFinished(() => elsewhere.close());
    const ask = async (bearer: string) =>
      (await api.request("GET", combined, { token: bearer })).status;
    const other = await api.newToken(api.client);
    expect([await ask(api.token), await ask(other), await ask(other)]).toEqual([200, 200, 200]);
    await elsewhere.directory.revokeToken(sha256(other), api.client.client_id);
    expect([await ask(other), await ask(api.token)]).toEqual([401, 200]);
    await elsewhere.directory.deleteClient(api.client.client_id);
    expect(await ask(api.token)).toBe(401);
  });

  test("a missing scope is named in the error, and nothing changes", async () => {
    const api = await start();
    const reader = await api.newToken(api.client, { scope: "ioc-management:read" });
    expect((await api.request("GET", combined, { token: reader })).status).toBe(200);
    const write = await api.request<ErrorBody>("DELETE", indicators, {
      token: reader,
      query: { filter: "type:'domain'" },
    });
    expect(write.status).toBe(403);
    expect(write.headers.get("www-authenticate")).toContain('scope="ioc-management:write"');
    const writer = await api.newToken(api.client, { scope: "ioc-management:write" });
    expect((await api.request("GET", combined, { token: writer })).status).toBe(403);
  });

  test("a token has no scope that its client lacks", async () => {
    const api = await start();
    const answer = await api.request<ErrorBody>("POST", token, {
      token: null,
      body: form({ ...credentials(api), scope: "ioc-management:read no-such:write" }),
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]?.message).toContain("the client does not have no-such:write");
  });

  test("a secret that was replaced is valid until its time is over, and no longer", async () => {
    const api = await start();
    const { directory } = api.store;
    const secret = await rotateSecret(directory, api.clock, api.client.client_id, 60);
    const ask = async (client_secret: string): Promise<number> => {
      const body = form({ client_id: api.client.client_id, client_secret });
      return (await api.request("POST", token, { token: null, body })).status;
    };
    api.clock.advance(seconds(60) - 1);
    expect(await ask(api.client.client_secret)).toBe(201);
    api.clock.advance(1);
    expect(await ask(api.client.client_secret)).toBe(401);
    expect(await ask(secret)).toBe(201);
  });

  test("a client of a parent can act for a child, and for no other tenant", async () => {
    const api = await start();
    const child = await api.newTenant("child", api.tenant);
    const stranger = await api.newTenant("stranger");
    const asChild = await api.newToken(api.client, { member_cid: child.tenant.cid });
    expect((await api.request("GET", combined, { token: asChild })).status).toBe(200);
    const foreign = await api.request("POST", token, {
      token: null,
      body: form({ ...credentials(api), member_cid: stranger.tenant.cid }),
    });
    expect(foreign.status).toBe(403);
  });

  test("requests are limited per tenant and minute, and the response says until when", async () => {
    const api = await startWith({ limits: { requestsPerMinute: 3 } });
    for (const remaining of ["2", "1", "0"]) {
      const answer = await api.request("GET", combined);
      expect(answer.headers.get("x-ratelimit-limit")).toBe("3");
      expect(answer.headers.get("x-ratelimit-remaining")).toBe(remaining);
    }
    const refused = await api.request("GET", combined);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(Number(refused.headers.get("x-ratelimit-retryafter"))).toBe(
      api.clock.now().getTime() / 1_000 + 60,
    );
    const other = await api.newTenant("other");
    expect((await api.request("GET", combined, { token: other.token })).status).toBe(200);
    api.clock.advance(minutes(1));
    expect((await api.request("GET", combined)).status).toBe(200);
  });

  test("failed authentications are limited per address, and valid credentials from it still work", async () => {
    const api = await startWith({ limits: { failedAuthenticationsPerMinute: 2 } });
    const wrong = form({ ...credentials(api), client_secret: "x".repeat(40) });
    for (let guess = 0; guess < 2; guess += 1) {
      expect((await api.request("GET", combined, { token: `guess-${guess}` })).status).toBe(401);
    }
    const refused = await api.request("GET", combined, { token: "guess-3" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await api.request("POST", token, { token: null, body: wrong })).status).toBe(429);
    expect((await api.request("GET", combined)).status).toBe(200);
    expect(
      (await api.request("GET", combined, { token: await api.newToken(api.client) })).status,
    ).toBe(200);
    api.clock.advance(minutes(1));
    expect((await api.request("GET", combined, { token: "guess-4" })).status).toBe(401);
  });

  test("token requests are limited per address", async () => {
    const api = await startWith({ limits: { tokenRequestsPerMinute: 2 } });
    await api.newToken(api.client);
    const refused = await api.request("POST", token, { token: null, body: form(credentials(api)) });
    expect(refused.status).toBe(429);
  });

  test.each<[unknown, readonly string[]]>([
    [{ ...fault, time: 2 }, ["body.time: unknown field; did you mean times?"]],
    [{ ...fault, note: "" }, ["body.note: unknown field"]],
    [[fault], [expect.stringContaining("body: expected an object with operation_id")]],
    [
      { ...fault, operation_id: "indicator.combined.v2" },
      [expect.stringContaining("did you mean")],
    ],
  ])("the development control plane refuses %j", async (body, problems) => {
    const api = await startWith({ config: { development: true } });
    const answer = await api.request<ErrorBody>("POST", "/_control/faults", { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ message }) => message)).toEqual(problems);
  });

  test("the development control plane forces responses, and must be enabled", async () => {
    const plain = await start();
    expect((await plain.request("POST", "/_control/faults", { body: {} })).status).toBe(404);
    const api = await startWith({ config: { development: true } });
    expect((await api.request("POST", "/_control/faults", { body: fault })).status).toBe(201);
    const answer = await api.request<ErrorBody>("GET", combined);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain("forced");
    expect((await api.request("GET", combined)).status).toBe(200);
  });
});
