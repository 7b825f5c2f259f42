/** @module-tag exhaustive */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobKind } from "../src/jobs/job-kind.ts";
import { StoreUnavailableError } from "../src/store/types/errors.ts";
import { startTestApi } from "./support/api.ts";
import { enqueue, jobOf, latch, workerOf } from "./support/jobs.ts";
import { minutes } from "./support/manual-clock.ts";
import { ownPostgres, type OwnPostgres } from "./support/own-postgres.ts";
import { sighting, sightings } from "./support/sightings.ts";
import { child, newStore, now, queryOf } from "./support/store.ts";

const list = "/iocs/queries/platforms/v1";
const indicators = "/iocs/entities/indicators/v1";

let server: OwnPostgres["server"];
let newDatabase: OwnPostgres["newDatabase"];
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ server, newDatabase } = await ownPostgres((cleanUp) => (stop = cleanUp)));
});
afterAll(() => stop());

const indicator = () => ({
  type: "domain",
  value: `${randomUUID()}.example`,
  action: "detect",
  severity: "low",
  platforms: ["linux"],
  applied_globally: true,
});

test("without PostgreSQL, requests cause a 503, and the server recovers automatically", async () => {
  const api = await startTestApi({ databaseUrl: await newDatabase("requests") });
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

  // In the middle of a transaction: it fails and is rolled back.
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
    expect(answer.text).toContain("the database does not respond");
    expect(answer.text).not.toMatch(/ECONN|PostgreSQL|127\.0\.0\.1/);
  }
  expect((await api.request("GET", "/healthz", { token: null })).status).toBe(200);

  await server.start();
  expect(await statuses()).toEqual([200, 201, 201, 200]);
  const trail = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 100 });
  expect(trail.map(({ operation }) => operation)).not.toContain("lost");
});

test("a job that PostgreSQL interrupts takes effect once, and the worker continues automatically", async () => {
  const { store, clock } = await newStore({ emptyUrl: () => newDatabase("jobs") });
  const starts = [latch(), latch(), latch()];
  const [first, second, third] = starts;
  const held = latch();
  let attempts = 0;
  const kind: JobKind = {
    name: "insert",
    run: async ({ id }) => {
      const attempt = attempts;
      attempts += 1;
      starts[attempt]?.open();
      if (attempt === 0) await held.opened;
      return {
        commit: async (transaction) => {
          await transaction.records(sightings).insert([sighting(`${id}`)], now);
        },
      };
    },
  };
  const worker = workerOf({ store, clock }, [kind], { pollMilliseconds: 5, concurrency: 1 });
  const [job] = await enqueue(store, { kind: "insert", now });
  worker.start();
  await first?.opened;
  await server.stop();
  // The outcome cannot be stored, and then nothing can be claimed.
  held.open();
  await expect(store.jobs.get(1)).rejects.toBeInstanceOf(StoreUnavailableError);
  await server.start();
  expect(await jobOf(store, job)).toMatchObject({ state: "running", attempts: 1 });
  // Its lease ends.
  clock.advance(minutes(1));
  await second?.opened;
  const [next] = await enqueue(store, { kind: "insert", now });
  await third?.opened;
  await worker.stop();
  expect(attempts).toBe(3);
  for (const id of [job, next]) {
    expect(await jobOf(store, id)).toMatchObject({ state: "succeeded", error: null });
  }
  const page = await store.records(sightings, { cid: child }).page(queryOf(""));
  expect(page.items.toSorted()).toEqual([`${job}`, `${next}`].toSorted());
});
