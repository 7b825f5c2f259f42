/** @module-tag exhaustive */
import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { indicators } from "../src/domain/ioc/indicators.ts";
import { layoutOf } from "../src/store/rows/columns.ts";
import { startTestApi, type Answer, type TestApi } from "./support/api.ts";
import { breakableLink } from "./support/breakable-link.ts";
import { onPostgres } from "./support/engines.ts";
import { domain } from "./support/ioc.ts";
import { administer, connectAsOwner } from "./support/raw-sql.ts";

const nightly = { tags: ["nightly"] };

const list = "/iocs/queries/platforms/v1";
const indicatorsPath = "/iocs/entities/indicators/v1";

const patience = { timeout: 60_000, interval: 100 };

const creation = () => ({ body: { indicators: [domain(`${randomUUID()}.example`)] } });

const create = (api: TestApi) => api.request("POST", indicatorsPath, creation());

const recovers = (api: TestApi) =>
  vi.waitFor(async () => {
    expect((await api.request("GET", "/readyz", { token: null })).status).toBe(200);
    expect((await api.request("GET", list)).status).toBe(200);
    expect((await create(api)).status).toBe(201);
  }, patience);

function expectUnavailable(answer: Answer, message: string): void {
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.text).toContain(message);
}

onPostgres((engine) => {
  test("while PostgreSQL is frozen, requests cause a 503, and the server recovers automatically", async () => {
    const link = await breakableLink(await engine.url());
    const databaseLimits = { connectMilliseconds: 1_000, statementMilliseconds: 1_000 };
    const api = await startTestApi({ databaseUrl: link.url, databaseLimits });
    await recovers(api);
    link.freeze();
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, () => api.request("GET", list)),
      create(api),
      create(api),
    ]);
    for (const answer of answers) expectUnavailable(answer, "the database does not respond");
    expectUnavailable(await api.request("GET", "/readyz", { token: null }), "the database");
    expect((await api.request("GET", "/healthz", { token: null })).status).toBe(200);
    link.thaw();
    await recovers(api);
  });

  test("a server with a frozen PostgreSQL stops", nightly, async () => {
    const link = await breakableLink(await engine.url());
    const databaseLimits = { connectMilliseconds: 500, statementMilliseconds: 500 };
    const api = await startTestApi({ databaseUrl: link.url, databaseLimits });
    await recovers(api);
    link.freeze();
    await api.store.close();
  });

  test("the statements of a caller that leaves are ended, if they only read", async () => {
    const databaseUrl = await engine.url();
    const lines: string[] = [];
    const api = await startTestApi({
      databaseUrl,
      databaseLimits: { statementMilliseconds: 0 },
      log: (line) => lines.push(line),
    });
    const owner = await connectAsOwner(databaseUrl);
    const locked = `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const waiting = async (): Promise<number> => (await administer(databaseUrl, locked)).length;
    await owner.run(`begin; lock table "${layoutOf(indicators).table}" in access exclusive mode`);
    try {
      const leaving = new AbortController();
      const left = fetch(`${api.url}/iocs/combined/indicator/v1?filter=value:'a'`, {
        headers: { authorization: `Bearer ${api.token}` },
        signal: leaving.signal,
      });
      left.catch(() => undefined);
      await expect.poll(waiting).toBe(1);
      leaving.abort();
      await expect.poll(waiting).toBe(0);
    } finally {
      await owner.run("rollback");
      await owner.close();
    }
    await recovers(api);
    expect(lines).toEqual([]);
  });

  test("a statement beyond its time limit causes a 503 and is cancelled", nightly, async () => {
    const databaseUrl = await engine.url();
    const databaseLimits = { statementMilliseconds: 2_000 };
    const api = await startTestApi({ databaseUrl, databaseLimits });
    const owner = await connectAsOwner(databaseUrl);
    await owner.run("begin; lock table write_numbers in access exclusive mode");
    try {
      for (const answer of await Promise.all([create(api), create(api)])) {
        expectUnavailable(answer, "the database took too long");
      }
    } finally {
      await owner.run("rollback");
      await owner.close();
    }
    await recovers(api);
  });
});
