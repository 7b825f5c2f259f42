/** @module-tag exhaustive */
import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { startTestApi, type TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { exampleRequest } from "./support/example-request.ts";
import { domain, paths } from "./support/ioc.ts";
import { enqueue, jobOf, latch, workerOf } from "./support/jobs.ts";
import { days, minutes } from "./support/manual-clock.ts";
import { newStore } from "./support/store.ts";

interface Indicator {
  readonly id: string;
  readonly value: string;
  readonly created_on: string;
  readonly modified_on: string;
}

/** Reads the rest of a scan that began with this cursor. */
async function scanFrom(api: TestApi, token: string, start: string): Promise<readonly string[]> {
  const values: string[] = [];
  for (let after: string | null = start; after !== null;) {
    const answer: Awaited<ReturnType<typeof api.request<readonly Indicator[]>>> = await api.request<
      readonly Indicator[]
    >("GET", paths.combined, {
      token,
      query: { limit: 2, after },
    });
    expect(answer.status, answer.text).toBe(200);
    values.push(...answer.body.map(({ value }) => value));
    after = answer.headers.get("x-pagination-after");
  }
  return values;
}

withPostgresAtNight((engine) => {
  test.each([
    ["back by a day", -days(1)],
    ["back by ten years", -days(3_650)],
    ["ahead by ten years", days(3_650)],
  ])("after the clock is set %s, operations, scans and writes go on", async (_name, jump) => {
    const api = await startTestApi({ databaseUrl: await engine.url() });
    const indicators = Array.from({ length: 7 }, (_, index) => domain(`jump-${index}.example`));
    await api.request("POST", paths.indicators, { body: { indicators } });
    const first = await api.request<readonly Indicator[]>("GET", paths.combined, {
      query: { limit: 2 },
    });
    const cursor = first.headers.get("x-pagination-after") ?? "";

    api.clock.advance(jump);
    // A token is valid until its end, so one from before is over only if the clock was set ahead.
    const old = await api.request("GET", paths.combined, { query: { limit: 1 } });
    expect(old.status).toBe(jump > 0 ? 401 : 200);
    const token = await api.newToken(api.client);
    const rest = await scanFrom(api, token, cursor);
    const scanned = [...first.body.map(({ value }) => value), ...rest];
    expect(scanned.toSorted()).toEqual(indicators.map(({ value }) => value));

    const [record] = first.body;
    const changed = await api.request<readonly Indicator[]>("PATCH", paths.indicators, {
      token,
      body: { indicators: [{ id: record?.id, description: "after the jump" }] },
    });
    expect(changed.status, changed.text).toBe(200);
    const read = await api.request<readonly Indicator[]>("GET", paths.indicators, {
      token,
      query: { ids: record?.id ?? "" },
    });
    expect(read.body).toMatchObject([{ description: "after the jump" }]);

    let sent = 0;
    for (const operation of operations().filter(({ scope }) => scope !== null)) {
      const { address, headers, body } = exampleRequest(operation);
      const answer = await api.request(operation.method.toUpperCase(), address, {
        token,
        headers,
        body,
      });
      expect(answer.status, `${operation.id}: ${answer.text}`).toBeLessThan(500);
      expect(answer.status, operation.id).not.toBe(401);
      sent += 1;
    }
    expect(sent).toBeGreaterThan(200);
  });

  test("a job runs once, although the clock is set back while it runs and after it", async () => {
    const { store, clock } = await newStore(engine);
    const done = latch();
    let runs = 0;
    const worker = workerOf(
      { store, clock },
      [
        {
          name: "count",
          run: async () => {
            runs += 1;
            clock.advance(-days(1));
            done.open();
          },
        },
      ],
      { pollMilliseconds: 5, concurrency: 1 },
    );
    const [job] = await enqueue(store, { kind: "count", now: clock.now() });
    worker.start();
    await done.opened;
    await expect.poll(async () => (await jobOf(store, job))?.state).toBe("succeeded");
    clock.advance(days(2) + minutes(1));
    await worker.drain();
    await worker.stop();
    expect(runs).toBe(1);
  });
});
