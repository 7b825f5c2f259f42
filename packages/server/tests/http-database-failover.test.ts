/** @module-tag exhaustive */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { StoreReadOnlyError } from "../src/store/types/errors.ts";
import { startTestApi } from "./support/api.ts";
import { domain } from "./support/ioc.ts";
import { ownPostgres, type OwnPostgres } from "./support/own-postgres.ts";
import { administer } from "./support/raw-sql.ts";
import { sighting, sightings } from "./support/sightings.ts";
import { child, newStore, now } from "./support/store.ts";

const indicators = "/iocs/entities/indicators/v1";

let newDatabase: OwnPostgres["newDatabase"];
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ newDatabase } = await ownPostgres((cleanUp) => (stop = cleanUp)));
});
afterAll(() => stop());

/** Connections from now on find a server that accepts no writes, or one that does. */
const leadTo = async (url: string, server: "standby" | "primary"): Promise<void> => {
  const other = new URL(url);
  const name = other.pathname.slice(1);
  other.pathname = "/postgres";
  const setting = server === "standby" ? "on" : "off";
  await administer(
    other.href,
    `alter database "${name}" set default_transaction_read_only = ${setting}`,
  );
};

/** Ends the connections of the server, as the end of the old primary does. */
const endConnections = (url: string): Promise<unknown> =>
  administer(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'security-platform' and datname = current_database()`,
  );

/** A busy machine needs longer than the default of a second. */
const patience = { timeout: 60_000, interval: 100 };

const creation = () => ({ body: { indicators: [domain(`${randomUUID()}.example`)] } });

test("while the host name leads to a standby, writes cause a 503, and the server recovers automatically", async () => {
  const url = await newDatabase("failover");
  const api = await startTestApi({ databaseUrl: url });
  const create = () => api.request("POST", indicators, creation());
  const ready = () => api.request("GET", "/readyz", { token: null });
  const find = () =>
    api.request(
      "GET",
      `${indicators.replace("entities/indicators", "queries/indicators")}?limit=1`,
    );
  expect((await create()).status).toBe(201);
  await leadTo(url, "standby");
  await endConnections(url);
  const refused = await vi.waitFor(async () => {
    const answer = await create();
    expect(answer.text).toContain("the database accepts no writes");
    return answer;
  }, patience);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const notReady = await ready();
  expect(notReady.status).toBe(503);
  expect(notReady.text).toContain("standby");
  expect((await find()).status).toBe(200);
  // A token is stored, so none can be issued.
  await expect(api.newToken(api.client)).rejects.toThrow("503");

  // The connections to the standby stay open.
  await leadTo(url, "primary");
  await vi.waitFor(async () => expect((await ready()).status).toBe(200), patience);
  expect((await create()).status).toBe(201);
});

test("a change that no synchronous standby has confirmed is not acknowledged when the wait for it is cancelled", async () => {
  const url = await newDatabase("unconfirmed");
  const api = await startTestApi({ databaseUrl: url });
  const create = () => api.request("POST", indicators, creation());
  expect((await create()).status).toBe(201);
  // None of these statements commits anything that would wait.
  const waitFor = async (standby: string): Promise<void> => {
    await administer(url, `alter system set synchronous_standby_names = '${standby}'`);
    await administer(url, "select pg_reload_conf()");
  };
  onTestFinished(() => waitFor(""));
  await waitFor("absent");
  let hasEnded = false;
  const begin = () => {
    hasEnded = false;
    return create().finally(() => {
      hasEnded = true;
    });
  };
  let waiting = begin();
  await vi.waitFor(async () => {
    // The setting holds after a moment. Until then, a change does not wait.
    if (hasEnded) waiting = begin();
    const cancelled = await administer(
      url,
      `select pg_cancel_backend(pid) from pg_stat_activity
        where wait_event = 'SyncRep' and datname = current_database()`,
    );
    expect(cancelled).toHaveLength(1);
  }, patience);
  const refused = await waiting;
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await waitFor("");
  await vi.waitFor(async () => expect((await create()).status).toBe(201), patience);
});

test("a failed transaction reports its first failure", async () => {
  const { store, url } = await newStore({ emptyUrl: () => newDatabase("first_failure") });
  await leadTo(url, "standby");
  await endConnections(url);
  const write = () =>
    store.write(child, async (transaction) => {
      const writer = transaction.records(sightings);
      await writer.insert([sighting("1", { tags: ["a", "b"] })], now);
      await writer.insert([sighting("2", { tags: ["a", "b"] })], now);
    });
  await vi.waitFor(async () => {
    const failure: unknown = await write().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreReadOnlyError);
    expect(String(failure)).toMatch(/cannot execute UPDATE in a read-only transaction/);
  }, patience);
});
