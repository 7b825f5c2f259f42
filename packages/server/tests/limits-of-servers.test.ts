// @module-tag exhaustive
import { expect, test } from "vitest";
import type { ServerLimits } from "../src/foundation/config.ts";
import { startTestApi, type TestApi } from "./support/api.ts";
import { onPostgres } from "./support/engines.ts";
import { paths } from "./support/ioc.ts";
import { administer } from "./support/raw-sql.ts";
import { ManualClock, minutes } from "./support/manual-clock.ts";

onPostgres((engine) => {
  /** Two servers on one database, as behind a load balancer. */
  async function open(limits: Partial<ServerLimits>) {
    const databaseUrl = await engine.url();
    const clock = new ManualClock();
    const one = await startTestApi({ databaseUrl, clock, limits });
    const two = await startTestApi({ databaseUrl, clock, limits, blobs: one.blobs });
    const ask = async (api: TestApi) => {
      const { status, headers } = await api.request("GET", paths.severities, { token: one.token });
      return [status, headers.get("x-ratelimit-remaining"), headers.get("retry-after")];
    };
    return { one, two, clock, ask };
  }

  test("two servers share the limit of a tenant, and say what remains of it", async () => {
    const { one, two, clock, ask } = await open({ requestsPerMinute: 4 });
    for (let window = 0; window < 2; window += 1) {
      expect(await ask(one)).toEqual([200, "3", null]);
      expect(await ask(two)).toEqual([200, "2", null]);
      expect(await ask(two)).toEqual([200, "1", null]);
      expect(await ask(one)).toEqual([200, "0", null]);
      expect(await ask(one)).toEqual([429, "0", "60"]);
      expect(await ask(two)).toEqual([429, "0", "60"]);
      clock.advance(minutes(1));
    }
  });

  test("concurrent requests to both servers do not exceed it", async () => {
    const { one, two, ask } = await open({ requestsPerMinute: 20 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => ask(at % 2 === 0 ? one : two)),
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(20);
  });

  test("they share the limits of token requests and failed authentications", async () => {
    const { one, two } = await open({ failedAuthenticationsPerMinute: 3 });
    const fail = (api: TestApi) => api.request("GET", paths.severities, { token: "wrong" });
    const statuses = [];
    for (const api of [one, two, one, two, one]) statuses.push((await fail(api)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  test("if the database does not take counts, each server counts alone", async () => {
    const { one, two, ask } = await open({ requestsPerMinute: 2 });
    for (const { store } of [one, two]) {
      Object.assign(store.limitCounts ?? {}, { add: () => Promise.reject(new Error("away")) });
    }
    for (const api of [one, two]) {
      expect([await ask(api), await ask(api), await ask(api)].map(([status]) => status)).toEqual([
        200, 200, 429,
      ]);
    }
  });

  test("counts are not written to the write-ahead log", async () => {
    const url = await engine.url();
    const persistence = "select relpersistence from pg_class where relname = 'limit_counts'";
    expect(await administer(url, persistence)).toEqual([{ relpersistence: "u" }]);
  });

  test("windows that have ended are deleted, and the others stay", async () => {
    const { one, clock } = await open({});
    const { limitCounts } = one.store;
    const add = (key: string) =>
      limitCounts?.add([{ limit: "test", key, count: 1 }], clock.now(), 60_000);
    await add("early");
    clock.advance(minutes(3));
    await add("late");
    await limitCounts?.purge(clock.now());
    expect(await add("late")).toMatchObject([{ key: "late", count: 2 }]);
    expect(await limitCounts?.purge(clock.now())).toBe(0);
  });
});
