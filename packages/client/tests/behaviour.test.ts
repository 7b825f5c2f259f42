/** Tokens, pages and errors of the client with a real server. */
import { describe, expect, test } from "vitest";
import {
  AuthenticationError,
  ConflictError,
  createClient,
  filters,
  InvalidRequestError,
  isNotFound,
  PermissionError,
  RateLimitError,
  readLinks,
  type Client,
  type Fetch,
} from "../src/index.ts";
import { startLiveServer } from "./support/live-server.ts";
import { failure } from "./support/scripted-client.ts";
import { TestClock } from "./support/test-clock.ts";

async function createDomains(client: Client, count: number): Promise<readonly string[]> {
  const { data } = await client.ioc.createIndicators({
    body: {
      indicators: Array.from({ length: count }, (_, index) => ({
        type: "domain",
        value: `${index}.example.com`,
        platforms: ["mac"],
        action: "detect",
        severity: "low",
        applied_globally: true,
      })),
    },
  });
  return data.map(({ id }) => id);
}

/** A fetch that records requests. */
function recording() {
  const sent: { readonly path: string; readonly authorization: string | null }[] = [];
  const record: Fetch = (request) => {
    const { pathname } = new URL(request.url);
    sent.push({ path: pathname, authorization: request.headers.get("authorization") });
    return fetch(request);
  };
  const paths = (): readonly string[] => sent.map(({ path }) => path);
  return { fetch: record, sent, paths };
}

describe("tokens", () => {
  test("are requested once by a hundred concurrent calls", async () => {
    const server = await startLiveServer();
    const { fetch, paths } = recording();
    const client = await server.connect({ fetch });
    await Promise.all(Array.from({ length: 100 }, () => client.ioc.listPlatforms()));
    expect(paths().filter((path) => path === "/oauth2/token")).toHaveLength(1);
  });

  test("that the server no longer accepts are replaced within the call", async () => {
    const server = await startLiveServer();
    const { fetch, paths } = recording();
    const client = await server.connect({ fetch });
    await client.ioc.listPlatforms();
    server.clock.advance(1_800_000);
    expect((await client.ioc.listPlatforms()).data).toContain("linux");
    expect(paths().slice(2)).toEqual([
      "/iocs/queries/platforms/v1",
      "/oauth2/token",
      "/iocs/queries/platforms/v1",
    ]);
  });

  test("are renewed before the server rejects them", async () => {
    const server = await startLiveServer();
    const { fetch, paths } = recording();
    const client = await server.connect({ fetch, clock: server.clock });
    for (let minute = 0; minute < 120; minute += 1) {
      await client.ioc.listPlatforms();
      server.clock.advance(60_000);
    }
    const tokens = paths().filter((path) => path === "/oauth2/token");
    // A rejected token would have caused one more request.
    expect(paths()).toHaveLength(120 + tokens.length);
    expect(tokens).toHaveLength(5);
  });

  test("are invalid after revocation", async () => {
    const server = await startLiveServer();
    const { fetch: record, sent } = recording();
    const client = await server.connect({ fetch: record });
    await client.ioc.listPlatforms();
    const authorization = sent.at(-1)?.authorization ?? "";
    const used = (): Promise<Response> =>
      fetch(`${server.url}/iocs/queries/platforms/v1`, { headers: { authorization } });
    expect((await used()).status).toBe(200);
    await client.close();
    expect((await used()).status).toBe(401);
  });

  test("are not granted for a wrong secret", async () => {
    const server = await startLiveServer();
    const credentials = await server.newCredentials();
    const client = createClient({ ...credentials, clientSecret: "x".repeat(40) });
    const error = await failure(client.ioc.listPlatforms());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, operationId: "oauth2AccessToken" });
  });

  test("act for a child tenant", async () => {
    const server = await startLiveServer();
    const child = await server.newTenant(server.tenant);
    const parent = await server.connect();
    const acting = await server.connect({ memberCid: child.cid });
    const [id = ""] = await createDomains(acting, 1);
    expect(
      isNotFound(await failure(parent.ioc.getIndicators({ ids: [id] })), parent.ioc.getIndicators),
    ).toBe(true);
    const stranger = await server.newTenant();
    const refused = await server.connect({ memberCid: stranger.cid });
    expect(await failure(refused.ioc.listPlatforms())).toMatchObject({
      name: "AuthenticationError",
      status: 403,
    });
  });

  test("have the requested scopes", async () => {
    const server = await startLiveServer();
    const client = await server.connect({ scopes: ["ioc-management:read"] });
    await client.ioc.listPlatforms();
    const error = await failure(createDomains(client, 1));
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({ missingScope: "ioc-management:write" });
  });
});

describe("pages", () => {
  test("return every record by cursor", async () => {
    const server = await startLiveServer();
    const client = await server.connect();
    const ids = await createDomains(client, 7);
    const collected: string[] = [];
    let after: string | undefined;
    do {
      const { data, page } = await client.ioc.listIndicatorIds({ limit: 3, after });
      collected.push(...data);
      after = page.after;
    } while (after !== undefined);
    expect(collected.toSorted()).toEqual(ids.toSorted());
  });

  test("have a total with offset", async () => {
    const server = await startLiveServer();
    const client = await server.connect();
    await createDomains(client, 7);
    const { data, page, response } = await client.ioc.listIndicators({
      filter: filters.indicators.where("value").glob("*.example.com"),
      sort: ["value.asc"],
      limit: 3,
      offset: 3,
    });
    expect(data.map(({ value }) => value)).toEqual(
      [3, 4, 5].map((index) => `${index}.example.com`),
    );
    expect(page).toMatchObject({ limit: 3, offset: 3, total: 7 });
    expect(Object.keys(readLinks(response)).toSorted()).toEqual(["first", "next", "prev"]);
  });
});

describe.each([[false], [true]])("errors (compat: %s)", (compat) => {
  test("contain the records that exist", async () => {
    const server = await startLiveServer({ compat });
    const client = await server.connect();
    const [id = ""] = await createDomains(client, 1);
    const missing = "f".repeat(64);
    const error = await failure(client.ioc.getIndicators({ ids: [id, missing] }));
    if (!isNotFound(error, client.ioc.getIndicators)) throw error;
    expect(error.found.map(({ value }) => value)).toEqual(["0.example.com"]);
    expect(error.errors).toMatchObject([{ code: 404, id: missing }]);
  });

  test("list all violations with their places", async () => {
    const server = await startLiveServer({ compat });
    const client = await server.connect();
    const error = await failure(client.ioc.listIndicators({ limit: 0, offset: -1 }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    const messages = (error as InvalidRequestError).errors.map(({ message }) => message);
    expect(messages.map((message) => message.split(":")[0]).toSorted()).toEqual([
      "query.limit",
      "query.offset",
    ]);
  });

  test("report duplicates", async () => {
    const server = await startLiveServer({ compat });
    const client = await server.connect();
    await createDomains(client, 1);
    expect(await failure(createDomains(client, 1))).toBeInstanceOf(ConflictError);
  });

  test("report how long to wait", async () => {
    const server = await startLiveServer({ compat }, { requestsPerMinute: 1 });
    const client = await server.connect({ clock: new TestClock() });
    const { response } = await client.ioc.listPlatforms();
    expect(response.rateLimit).toEqual({ limit: 1, remaining: 0 });
    const error = await failure(client.ioc.listPlatforms());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterSeconds: 60 });
  });
});
