import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createClient } from "../src/access/clients.ts";
import { everyScope } from "../src/access/roles.ts";
import { createTenant } from "../src/catalogue/index.ts";
import { ControlledClock } from "../src/control/controlled-clock.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { startServer } from "../src/host/start-server.ts";
import { createLogger } from "../src/foundation/logger.ts";
import { defaultConfig, defaultLimits } from "../src/foundation/config.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { sendTarget } from "./support/raw-request.ts";

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A server as of `secplat serve --dev`, with a client. */
async function start(database = "sqlite::memory:") {
  const clock = new ControlledClock(new ManualClock("2026-03-01T12:00:00Z"));
  const restorable = database === "sqlite::memory:";
  const store = await openStoreAt({ url: database, clock, restorable, durable: false });
  const cid = "ab".repeat(16);
  const created_at = clock.now().toISOString();
  await createTenant(store, clock, { cid, name: "first", parent_cid: null, created_at });
  const client = await createClient(store.directory, clock, { cid, name: "c", scopes: everyScope });
  const server = await startServer({
    store,
    clock,
    logger: createLogger("silent"),
    config: {
      ...defaultConfig,
      host: "127.0.0.1",
      port: 0,
      databaseUrl: database,
      docsFolder: null,
      development: true,
      backgroundWork: true,
      mail: null,
      limits: { ...defaultLimits, overloadMilliseconds: 0 },
    },
  });
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
  };
  const control = (method: string, path: string, body?: unknown) =>
    send(method, `/_control${path}`, body);
  const token = async (): Promise<string> => {
    const { client_id, client_secret } = client;
    const form = new URLSearchParams({ client_id, client_secret });
    const response = await fetch(`${server.url}/oauth2/token`, { method: "POST", body: form });
    return ((await response.json()) as { readonly access_token: string }).access_token;
  };
  const get = async (path: string): Promise<Answer> => {
    const headers = { authorization: `Bearer ${await token()}` };
    const response = await fetch(`${server.url}${path}`, { headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { url: server.url, cid, client, control, get };
}

const indicators = "/iocs/queries/indicators/v1";

test("seeds, copies, restores and resets over HTTP", async () => {
  const { control, get, cid } = await start();
  const record = { type: "domain", value: "a.example", platforms: ["linux"], action: "detect" };
  const records = [{ ...record, severity: "low", applied_globally: true }];
  const seeded = await control("POST", "/seed", { kind: "indicators", records, cid });
  expect(seeded).toEqual({ status: 201, body: { imported: 1, updated: 0 } });
  const { body } = await control("POST", "/snapshots");
  const { snapshot } = body;
  expect(await control("GET", "/snapshots")).toMatchObject({ body: { snapshots: [snapshot] } });
  expect((await control("POST", "/reset")).status).toBe(204);
  expect((await get(indicators)).body).toEqual([]);
  expect((await control("POST", `/snapshots/${String(snapshot)}/restore`)).status).toBe(204);
  expect((await get(indicators)).body).toHaveLength(1);
  expect((await control("DELETE", `/snapshots/${String(snapshot)}`)).status).toBe(204);
  expect(await control("POST", `/snapshots/${String(snapshot)}/restore`)).toMatchObject({
    status: 400,
    body: { errors: [{ message: expect.stringContaining("there is none") as unknown }] },
  });
});

test("freezes and moves the clock", async () => {
  const { control } = await start();
  const set = { now: "2026-06-01T00:00:00Z", frozen: true };
  expect((await control("PATCH", "/clock", set)).body).toEqual({
    now: "2026-06-01T00:00:00.000Z",
    frozen: true,
  });
  expect((await control("POST", "/clock/advance", { duration: "1 d 2 h" })).body).toMatchObject({
    now: "2026-06-02T02:00:00.000Z",
  });
  await control("POST", "/reset");
  expect((await control("GET", "/clock")).body).toEqual({
    now: "2026-03-01T12:00:00.000Z",
    frozen: false,
  });
});

test("lists requests, and waits for them", async () => {
  const { control, get } = await start();
  const waiting = control("GET", "/requests?operation_id=indicator.search.v1&wait_ms=60000");
  await get(indicators);
  expect(await waiting).toMatchObject({
    body: { requests: [{ path: indicators, status: 200, headers: { authorization: "(hidden)" } }] },
  });
  const all = await control("GET", "/requests");
  expect(all.body["requests"]).toHaveLength(2);
  await control("DELETE", "/requests");
  expect((await control("GET", "/requests?method=get&status=200")).body).toEqual({ requests: [] });
});

test("sets faults, and removes them", async () => {
  const { control, get } = await start();
  const rule = { operation_id: "indicator.search.v1", status: 503, times: 2 };
  expect(await control("POST", "/faults", rule)).toEqual({
    status: 201,
    body: { id: 1, hits: 0, ...rule },
  });
  expect((await get(indicators)).status).toBe(503);
  expect((await control("GET", "/faults")).body).toMatchObject({ faults: [{ id: 1, hits: 1 }] });
  expect((await control("DELETE", "/faults/1")).status).toBe(204);
  expect((await control("DELETE", "/faults/1")).status).toBe(404);
  expect((await get(indicators)).status).toBe(200);
});

test("lists limits, and resets them", async () => {
  const { control, get } = await start();
  await get(indicators);
  expect((await control("GET", "/limits")).body["limits"]).toContainEqual(
    expect.objectContaining({ limit: "tokenRequestsPerMinute", used: 1, most: 300 }),
  );
  expect((await control("DELETE", "/limits")).status).toBe(204);
  expect((await control("GET", "/limits")).body).toEqual({ limits: [] });
});

test.each([
  ["POST", "/jobs/run", { attempts: expect.any(Number) }],
  ["GET", "/jobs", { jobs: expect.any(Array) }],
  ["GET", "/mails", { mails: [] }],
  ["GET", "/deliveries", { deliveries: [] }],
] as const)("%s %s works on a platform without work", async (method, path, body) => {
  const { control } = await start();
  expect((await control(method, path)).body).toEqual(body);
});

test("creates tenants and clients", async () => {
  const { control, cid } = await start();
  const { body } = await control("POST", "/tenants", { name: "child", parent_cid: cid });
  expect(body).toMatchObject({ name: "child", parent_cid: cid });
  const created = await control("POST", "/clients", { cid: body["cid"] });
  expect(created).toMatchObject({ status: 201, body: { cid: body["cid"] } });
  const world = await control("POST", "/seed", { world: "small" });
  expect(world.body).toMatchObject({ indicators: expect.any(Number) as unknown });
});

test.each([
  ["PATCH", "/clock", { frozn: true }, "body.frozn: unknown field; did you mean frozen?"],
  ["PATCH", "/clock", { now: "noon" }, "body.now: expected an instant"],
  ["PATCH", "/clock", { now: "2026-02-30" }, "body.now: expected an instant"],
  ["POST", "/clock/advance", {}, "body.duration: is required"],
  ["POST", "/clock/advance", { duration: "3 huors" }, "did you mean hours?"],
  ["POST", "/seed", { world: "smal" }, "did you mean small?"],
  ["POST", "/seed", { kind: "host", records: [], cid: "ab".repeat(16) }, "did you mean hosts?"],
  ["POST", "/seed", { kind: "hosts", records: [], cid: "0" }, "there is no tenant 0"],
  ["POST", "/clients", [], "expected an object with cid"],
  ["GET", "/requests?statuss=200", undefined, "query.statuss: unknown field; did you mean status?"],
  [
    "GET",
    "/requests?operation_id=indicator.search.v2",
    undefined,
    "did you mean indicator.search.v1?",
  ],
  ["GET", "/requests?status=ok", undefined, "query.status: expected a whole number"],
  ["POST", "/snapshots/first/restore", undefined, "path.number: expected a whole number"],
])("%s %s refuses %j", async (method, path, body, message) => {
  const { control } = await start();
  expect(await control(method, path, body)).toMatchObject({
    status: 400,
    body: { errors: [{ message: expect.stringContaining(message) as unknown }] },
  });
});

test("refuses other machines' names and pages", async () => {
  const { url } = await start();
  for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
    const answer = await sendTarget(url, "/_control/reset", { method: "POST", headers });
    expect(answer.status).toBe(403);
  }
});

test("a database of which others may know cannot be reset", async () => {
  const folder = mkdtempSync(join(tmpdir(), "secplat-control-"));
  const { control } = await start(`sqlite:${join(folder, "a.db")}`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ["/reset", "/snapshots"]) {
    expect(await control("POST", path)).toMatchObject({
      status: 409,
      body: { errors: [{ message: expect.stringContaining("sqlite::memory:") as unknown }] },
    });
  }
});

test("serves every operation of its document, and no other", async () => {
  const { url } = await start();
  const path = join(import.meta.dirname, "../../../spec/control.yaml");
  const { paths } = parse(readFileSync(path, "utf8")) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  };
  for (const [template, item] of Object.entries(paths)) {
    const documented = Object.keys(item)
      .filter((name) => name !== "parameters")
      .map((name) => name.toUpperCase());
    // A method that no resource has: the answer lists the others.
    const target = `/_control${template.replace("{number}", "1")}`;
    const answer = await sendTarget(url, target, { method: "PROPFIND" });
    expect([template, answer.status]).toEqual([template, 405]);
    const allowed = /^allow: (.*?)\r?$/im.exec(answer.head)?.[1]?.split(", ") ?? [];
    expect([template, allowed.toSorted()]).toEqual([template, documented.toSorted()]);
  }
});
