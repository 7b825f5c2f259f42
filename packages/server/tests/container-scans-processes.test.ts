import { where, type Predicate } from "@security-platform/fql";
import { expect, test } from "vitest";
import { rowResources } from "../src/domain/container/scans/rows.ts";
import { scans, type Scan } from "../src/domain/container/scans/scans.ts";
import type { Resource } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { startTestApi, type TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { have } from "./support/identities.ts";
import { inventory, log4shell, sendInventory } from "./support/images.ts";
import { ManualClock, seconds } from "./support/manual-clock.ts";

/** Inventories that each server receives. */
const count = 8;

withPostgresAtNight((engine) => {
  /** The servers of two processes on one database, for one tenant. */
  async function twoServers(): Promise<readonly [TestApi, TestApi]> {
    const databaseUrl = await engine.url();
    const first = await startTestApi({ databaseUrl });
    const second = await startTestApi({ databaseUrl, clock: new ManualClock() });
    await have(first, "osv", [log4shell]);
    const { tenant, client } = first;
    const token = await second.newToken(client);
    const request: TestApi["request"] = (method, path, options = {}) =>
      second.request(method, path, { token, ...options });
    return [first, { ...second, tenant, client, token, request }];
  }

  const stored = <Record extends object>(
    { store, tenant, clock }: TestApi,
    resource: Resource<Record>,
    predicate: Predicate = where.everything,
  ) => allOf(store.records(resource, { cid: tenant.cid }).scanComplete(predicate, clock.now()));

  const newestOf = (api: TestApi): Promise<readonly Scan[]> =>
    stored(api, scans, where.equal("newest", true));

  test(
    "two processes that scan an image at the same time leave one newest scan with its rows",
    { tags: ["exhaustive"] },
    async () => {
      const [first, second] = await twoServers();
      const answers = await Promise.all(
        Array.from({ length: count * 2 }, (_, number) =>
          sendInventory(number % 2 === 0 ? first : second, inventory()),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await stored(first, scans)).toHaveLength(count * 2);
      const newest = await newestOf(first);
      expect(newest).toHaveLength(1);
      for (const resource of rowResources) {
        const rows = await stored(first, resource as Resource<{ readonly scan: string }>);
        expect(rows.length).toBeGreaterThan(0);
        expect(new Set(rows.map(({ scan }) => scan))).toEqual(new Set([newest[0]?.scan_uuid]));
      }
    },
  );

  test("a scan that started earlier but is stored later is not the newest", async () => {
    const [first, second] = await twoServers();
    first.clock.advance(seconds(1));
    const { body: later } = await sendInventory(first, inventory());
    const { body: earlier } = await sendInventory(second, inventory());
    expect((await newestOf(first)).map(({ scan_uuid }) => scan_uuid)).toEqual([
      later.resources.uuid,
    ]);
    const path = `/image-assessment/entities/reports/v2/${earlier.resources.uuid}`;
    expect((await second.request("GET", path)).status).toBe(200);
  });
});
