/** @module-tag exhaustive */
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Store } from "../src/store/types/types.ts";
import { StoreError } from "../src/store/types/errors.ts";
import { onPostgres } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { startPooler, type PoolerOptions } from "./support/pooler.ts";
import { testKeys } from "./support/secret-keys.ts";
import { sighting, sightings } from "./support/sightings.ts";
import { child, newStore, now, parent, queryOf, stranger } from "./support/store.ts";

onPostgres((engine) => {
  const pooled = async (options?: PoolerOptions) => {
    const pooler = await startPooler(await engine.emptyUrl(), options);
    onTestFinished(() => pooler.close());
    return pooler;
  };
  const open = async (url: string, prepare?: boolean, lines: string[] = []) => {
    const clock = new ManualClock(now.toISOString());
    const databaseLimits = prepare === undefined ? {} : { prepare };
    const store = await openStoreAt({
      url,
      clock,
      resources: [sightings],
      keys: testKeys,
      databaseLimits,
      logger: { warn: (_details, message) => lines.push(message) },
    });
    onTestFinished(() => store.close());
    return store;
  };

  test("behind a pooler in transaction mode, each tenant sees and writes its own records", async () => {
    const pooler = await pooled();
    const { store } = await newStore({ emptyUrl: async () => pooler.url });
    const cids = [parent, child, stranger];
    const write = (cid: string, id: string) =>
      store.write(cid, (transaction) =>
        transaction.records(sightings).insert([sighting(id, { tags: ["t"] })], now),
      );
    const read = async (cid: string) => {
      const records = store.records(sightings, { cid });
      const { items } = await records.page({ ...queryOf("tags:'t'"), offset: 0 });
      return items.every((id) => id.startsWith(`of ${cid[0]}`)) ? items.length : items;
    };
    for (let round = 0; round < 10; round += 1) {
      const reads = cids.flatMap((cid) => [read(cid), read(cid)]);
      const writes = cids.map((cid) => write(cid, `of ${cid[0]} ${round}`));
      await Promise.all(writes);
      for (const seen of await Promise.all(reads)) expect([round, round + 1]).toContain(seen);
      expect(await Promise.all(cids.map(read))).toEqual([round + 1, round + 1, round + 1]);
    }
    expect(pooler.switches).toBeGreaterThan(20);
  });

  test("connections go back to the pooler without a role and without a tenant", async () => {
    const pooler = await pooled({ size: 1 });
    const { store } = await newStore({ emptyUrl: async () => pooler.url });
    await store.write(child, (transaction) =>
      transaction.records(sightings).insert([sighting("1")], now),
    );
    await store.records(sightings, { cid: child }).page(queryOf(""));
    const other = new Client({ connectionString: pooler.url });
    await other.connect();
    onTestFinished(() => other.end());
    const { rows } = await other.query(
      `select current_user::text as role, current_setting('app.cids', true) as cids,
        current_setting('app.cid', true) as cid, current_setting('statement_timeout') as timeout`,
    );
    expect(rows).toEqual([{ role: "postgres", cids: "", cid: "", timeout: "0" }]);
  });

  /** Writes and reads through several connections. */
  async function use(store: Store): Promise<void> {
    const created_at = now.toISOString();
    await store.directory.createTenant({ cid: child, name: "child", parent_cid: null, created_at });
    const records = store.records(sightings, { cid: child });
    for (const id of ["1", "2", "3", "4"]) {
      await store.write(child, (transaction) =>
        transaction.records(sightings).insert([sighting(id)], now),
      );
      expect((await records.page(queryOf(""))).items).toHaveLength(Number(id));
      expect((await records.get([id], now)).get(id)).toContain(`"${id}"`);
    }
  }

  test("a pooler that mixes up prepared statements is refused if they are demanded", async () => {
    const { url } = await pooled({ keepsStatements: false });
    const refused = open(url, true);
    await expect(refused).rejects.toBeInstanceOf(StoreError);
    await expect(refused).rejects.toThrow(/max_prepared_statements .* --no-prepare/);
    await use(await open(url, false));
  });

  test("without a choice, none are prepared behind such a pooler, and the log says so", async () => {
    const { url } = await pooled({ keepsStatements: false });
    const lines: string[] = [];
    await use(await open(url, undefined, lines));
    expect(lines).toEqual([expect.stringContaining("mixes up the prepared statements")]);
  });

  test("behind any other pooler, the log says nothing", async () => {
    const { url } = await pooled();
    const lines: string[] = [];
    await use(await open(url, undefined, lines));
    expect(lines).toEqual([]);
  });

  test("a pooler that ends transactions early is refused", async () => {
    const { url } = await pooled({ splits: true });
    for (const prepare of [true, false]) {
      await expect(open(url, prepare)).rejects.toThrow(
        /a read that should run as security_platform for one tenant ran as postgres/,
      );
    }
  });
});
