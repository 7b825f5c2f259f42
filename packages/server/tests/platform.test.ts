import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../src/access/clients.ts";
import { MemoryBlobs } from "../src/blobs/memory-blobs.ts";
import { createTenant } from "../src/catalogue/index.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { startServer, type RunningServer } from "../src/host/start-server.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { defaultLimits, defaultOutgoing } from "../src/foundation/config.ts";
import { createLogger } from "../src/foundation/logger.ts";
import { createPlatform, type Platform, type PlatformParts } from "../src/platform/platform.ts";
import { resources } from "../src/platform/resources.ts";
import type { Store } from "../src/store/index.ts";
import { allScopes } from "./support/api.ts";
import { describeTenant } from "./support/bare-tenant.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { testKeys } from "./support/secret-keys.ts";

const origin = "http://platform.test";

/** A platform without a host, and a client of it. */
async function open(
  parts: Partial<PlatformParts> = {},
  finish: (cleanUp: () => Promise<void>) => void = onTestFinished,
) {
  const clock = new ManualClock();
  const store = await openStoreAt({
    url: "sqlite::memory:",
    clock,
    resources,
    keys: testKeys,
    durable: false,
  });
  const platform = await createPlatform({ store, clock, ...parts });
  finish(async () => {
    await platform.stop();
    await store.close();
  });
  return { clock, store, platform, client: await clientOf(store, clock) };
}

async function clientOf(store: Store, clock: ManualClock) {
  const tenant = describeTenant(clock, "first");
  await createTenant(store, clock, tenant);
  const { cid } = tenant;
  return createClient(store.directory, clock, { cid, name: "test", scopes: allScopes });
}

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

const within =
  (platform: Pick<Platform, "fetch">): Fetch =>
  (path, init) =>
    platform.fetch(new Request(`${origin}${path}`, init));

async function tokenFrom(
  send: Fetch,
  { client_id, client_secret }: Awaited<ReturnType<typeof clientOf>>,
): Promise<string> {
  const body = new URLSearchParams({ client_id, client_secret });
  const response = await send("/oauth2/token", { method: "POST", body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { access_token: string }).access_token;
}

const authorized = (token: string, type?: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(type === undefined ? {} : { "content-type": type }),
});

const json = "application/json";

test("a platform without a host stores records, runs jobs and sends nothing", async () => {
  const { platform, client } = await open();
  const send = within(platform);
  const token = await tokenFrom(send, client);
  const created = await createIndicator(send, token);
  expect(created.status).toBe(201);
  const listed = await send("/iocs/combined/indicator/v1?limit=5", { headers: authorized(token) });
  expect(await listed.json()).toMatchObject([{ value: "a.example" }]);
  await platform.worker.drain();
  const { outgoing } = platform.context;
  expect(await outgoing.refusal("https://a.example")).toBeNull();
  await expect(outgoing.get("https://a.example", { headers: {} })).rejects.toThrow(
    "this platform has no network",
  );
});

test("a platform that is about to stop is not ready, but handles requests", async () => {
  const { platform } = await open();
  const send = within(platform);
  expect((await send("/readyz")).status).toBe(200);
  platform.drain();
  expect((await send("/readyz")).status).toBe(503);
  expect((await send("/healthz")).status).toBe(200);
});

test("uploads and downloads pass through as streams", async () => {
  const { platform, client } = await open();
  const send = within(platform);
  const token = await tokenFrom(send, client);
  const content = Buffer.alloc(3_000_000, "0123456789");
  const link = await uploadAndLink(send, token, new Blob([content]));
  expect(link).toMatch(/^http:\/\/platform\.test\/files\//);
  const download = await platform.fetch(new Request(link));
  expect(download.headers.get("content-length")).toBe("3000000");
  expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true);
});

test("a download is read as fast as its caller reads, and ends when the caller leaves", async () => {
  const blobs = new EndlessBlobs(systemClock);
  const { platform, client } = await open({ blobs });
  const send = within(platform);
  const token = await tokenFrom(send, client);
  const link = await uploadAndLink(send, token, new Blob(["x"]));
  blobs.isEndless = true;
  const { body } = await platform.fetch(new Request(link));
  const reader = body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  expect(blobs.produced).toBeLessThan(8 * megabyte);
  await reader?.cancel();
  await blobs.closed.promise;
});

test("a request that is aborted rejects, and what it sent is discarded", async () => {
  const { platform, client } = await open();
  const send = within(platform);
  const token = await tokenFrom(send, client);
  const abort = new AbortController();
  const pulled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('{"indicators":[')),
    pull: () => pulled.resolve(),
  });
  const sent = send("/iocs/entities/indicators/v1", {
    method: "POST",
    headers: authorized(token, json),
    body,
    duplex: "half",
    signal: abort.signal,
  } as RequestInit);
  await pulled.promise;
  abort.abort(new Error("no longer needed"));
  await expect(sent).rejects.toThrow("no longer needed");
  await expect(send("/healthz", { signal: AbortSignal.abort() })).rejects.toThrow(/aborted/);
});

describe.each([false, true])("requests over a socket and without one, compat %s", (compat) => {
  let server: RunningServer;
  let token = "";
  beforeAll(async () => {
    const clock = new ManualClock();
    const databaseUrl = "sqlite::memory:";
    const options = { clock, resources, keys: testKeys, durable: false };
    const store = await openStoreAt({ url: databaseUrl, ...options });
    server = await startServer({
      store,
      clock,
      logger: createLogger("silent"),
      config: {
        host: "127.0.0.1",
        port: 0,
        databaseUrl,
        compat,
        docsFolder: null,
        development: false,
        backgroundWork: false,
        mail: null,
        outgoing: defaultOutgoing,
        corsOrigins: ["https://page.example"],
        limits: { ...defaultLimits, bodyBytes: 20_000, overloadMilliseconds: 0 },
      },
    });
    token = await tokenFrom(overSocket, await clientOf(store, clock));
    return async () => {
      await server.close();
      await store.close();
    };
  });
  const overSocket: Fetch = (path, init) => fetch(`${server.url}${path}`, init);
  const inProcess: Fetch = (path, init) => server.fetch(new Request(`${server.url}${path}`, init));

  const list = "/iocs/combined/indicator/v1";
  const indicators = "/iocs/entities/indicators/v1";
  const post = (body: NonNullable<RequestInit["body"]>, type = json): RequestInit => ({
    method: "POST",
    headers: { "content-type": type },
    body,
  });
  test.each<[string, string, RequestInit?]>([
    ["a list", `${list}?limit=2&offset=0`],
    ["a list of a page of another origin", list, { headers: { origin: "https://page.example" } }],
    [
      "a preflight",
      list,
      {
        method: "OPTIONS",
        headers: { origin: "https://page.example", "access-control-request-method": "GET" },
      },
    ],
    ["an unknown path", "/iocs/combined/indicators/v1"],
    ["an unknown method", list, { method: "DELETE" }],
    ["HEAD", "/readyz", { method: "HEAD" }],
    ["a wrong token", list, { headers: { authorization: "Bearer wrong" } }],
    ["an invalid parameter", `${list}?limit=none`],
    ["an invalid filter", `${list}?filter=${encodeURIComponent("nothing:1")}`],
    ["percent-encoding that is not UTF-8", `${list}?filter=%ff`],
    ["a media type that is not accepted", list, { headers: { accept: "text/csv" } }],
    ["a body of another media type", indicators, post("a", "text/plain")],
    ["a body that is not JSON", indicators, post("{")],
    ["a body that is not valid", indicators, post('{"indicators":[{"type":1}]}')],
    ["a body that is too large", indicators, post("x".repeat(20_001))],
    ["no body", indicators, { method: "POST" }],
    ["headers that are too large", list, { headers: { "x-long": "x".repeat(100_000) } }],
    ["compressed responses", list, { headers: { "accept-encoding": "gzip" } }],
    [
      "a form without its file",
      "/case-files/entities/files/upload/v1",
      {
        method: "POST",
        body: new FormData(),
      },
    ],
  ])("get the same response: %s", async (_, path, init = {}) => {
    const headers = { ...authorized(token), "accept-encoding": "identity", ...init.headers };
    const [one, other] = [
      await facts(await overSocket(path, { ...init, headers })),
      await facts(await inProcess(path, { ...init, headers })),
    ];
    expect(other).toEqual(one);
    expect(one.headers["x-trace-id"]).toBeDefined();
  });
});

/** What does not depend on the connection, the time or earlier requests. */
async function facts(response: Response) {
  const { status, statusText, headers } = response;
  const compared = Object.fromEntries(headers);
  for (const name of ["connection", "keep-alive", "transfer-encoding", "date"]) {
    delete compared[name];
  }
  for (const name of ["x-trace-id", "x-cs-traceid", "x-ratelimit-remaining"]) {
    if (name in compared) compared[name] = "…";
  }
  const text = (await response.text()).replaceAll(
    /"(trace_id|query_time)":("[^"]*"|[\d.e-]+)/g,
    '"$1":"…"',
  );
  delete compared["content-length"];
  return { status, statusText, headers: compared, text };
}

const megabyte = 1024 * 1024;

/** Opens a file that has no end. */
class EndlessBlobs extends MemoryBlobs {
  isEndless = false;
  produced = 0;
  readonly closed = Promise.withResolvers<void>();

  override async open(...parameters: Parameters<MemoryBlobs["open"]>): Promise<Readable> {
    if (!this.isEndless) return super.open(...parameters);
    const content = new Readable({
      read: () => {
        this.produced += megabyte;
        content.push(Buffer.alloc(megabyte));
      },
    });
    content.once("close", this.closed.resolve);
    return content;
  }
}

const createIndicator = (send: Fetch, token: string): Promise<Response> => {
  const kind = { type: "domain", value: "a.example", action: "detect", severity: "low" };
  const indicator = { ...kind, platforms: ["linux"], applied_globally: true };
  return send("/iocs/entities/indicators/v1", {
    method: "POST",
    headers: authorized(token, json),
    body: JSON.stringify({ indicators: [indicator] }),
  });
};

/** Uploads a file to a new case, and returns the URL of its download. */
async function uploadAndLink(send: Fetch, token: string, content: Blob): Promise<string> {
  const headers = authorized(token);
  const created = await send("/cases/entities/cases/v2", {
    method: "PUT",
    headers: authorized(token, json),
    body: JSON.stringify({ name: "files", severity: 50 }),
  });
  const [found] = (await created.json()) as readonly { id: string }[];
  const form = new FormData();
  form.set("case_id", found?.id ?? "");
  form.set("file", content, "large.bin");
  const uploaded = await send("/case-files/entities/files/upload/v1", {
    method: "POST",
    headers,
    body: form,
  });
  const [file] = (await uploaded.json()) as readonly { id: string }[];
  const links = await send(`/case-files/entities/files/download/v1?id=${file?.id}`, { headers });
  const [linked] = (await links.json()) as readonly { link: string }[];
  return linked?.link ?? "";
}
