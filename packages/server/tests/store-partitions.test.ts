import { expect, test } from "vitest";
import { skipWithout } from "../../../testing/platform.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { platformCid, type Resource, type Store } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { runContract, slowest } from "./support/contract-run.ts";
import { onPostgres } from "./support/engines.ts";
import { days } from "./support/manual-clock.ts";
import { child, filterOf, later, newStore, now, parent } from "./support/store.ts";
import {
  earlierSightings,
  sighting,
  taggedSightings,
  timedSightings,
  upgradedSightings,
} from "./support/sightings.ts";
import {
  statementsOf,
  strayStatements,
  withTenantPartitions,
} from "./support/tenant-partitions.ts";

onPostgres((engine) => {
  skipWithout("one node");
  const apart = withTenantPartitions(engine);

  const others: readonly Resource[] = [timedSightings, taggedSightings];
  const opened = () => newStore(apart, [earlierSightings, ...others]);

  test("searches for words, jobs, audit, sequences, sweeps and upgrades name their tenants", async () => {
    const { store, url, clock } = await opened();
    let upgraded: Store | undefined;
    const statements = await statementsOf(async () => {
      await store.write(parent, async (transaction) => {
        const records = transaction.records(earlierSightings);
        await records.insert(
          Array.from({ length: 150 }, (_, at) =>
            sighting(`s${at}`, { name: `seen file ${at}`, tags: ["", "t"] }),
          ),
          now,
        );
        await transaction
          .records(timedSightings)
          .insert([sighting("t1", { seen_at: "2026-03-02T12:00:00Z" })], now);
        await transaction.nextNumbers("things", 3);
        await transaction.enqueue({ kind: "a job" }, now);
        await transaction.audit(entry(["s1"]));
      });
      await store.write(platformCid, (transaction) =>
        transaction.audit({ ...entry(["s2"]), cid: child }),
      );
      const { page } = bound(store);
      expect((await page("name:~'seen file 12'")).length).toBe(11);
      expect((await page("name:~'SEEN FILE 3'+tags:'t'")).length).toBe(11);
      expect((await page("name:~'file seen'")).length).toBe(0);
      expect((await page("name:!~'seen file 1'")).length).toBe(89);
      expect(
        (await store.directory.auditEntries({ cid: child, limit: 9 })).map(({ ids, number }) => [
          ids,
          number,
        ]),
      ).toEqual([[["s2"], 1]]);
      await store.write(parent, (transaction) =>
        transaction.records(earlierSightings).removeMatching(filterOf("name:*'seen file 1*'"), now),
      );
      await store.sweep(later(days(40)));
      await store.sizes.tenant(parent, undefined);
      upgraded = await openStoreAt({ url, clock, resources: [upgradedSightings, ...others] });
      expect((await bound(upgraded).page("kind:'unknown'")).length).toBe(89);
    });
    await upgraded?.close();
    expect(statements.size).toBeGreaterThan(50);
    expect(await strayStatements(url, statements)).toEqual([]);
  });

  test("a replica for reads is refused, because each node has a log of its own", async () => {
    const { url, clock } = await opened();
    const resources = [earlierSightings, ...others];
    await expect(openStoreAt({ url, replicaUrl: url, clock, resources })).rejects.toThrow(
      "leave out --database-replica",
    );
  });

  test("a statement that does not name its tenant is found", async () => {
    const { url } = await opened();
    const table = "test_sightings";
    const planted: ReadonlyMap<string, readonly unknown[]> = new Map([
      [`select id from ${table} where id = $1`, ["s1"]],
      [
        `select t.id from ${table} as t join ${table}__values as v on v.row = t.row where t.cid = $1`,
        [parent],
      ],
      [
        `select id from ${table} as t where cid = $1 and exists (select from ${table} as o where o.cid <> $1 and o.id = t.id)`,
        [parent],
      ],
      [`update ${table} set valid_to = 1 where id = $1`, ["s1"]],
      [`delete from ${table}__words where row = $1`, [1]],
      [`insert into write_times select cid, number, $1 from write_numbers`, ["now"]],
    ]);
    expect(await strayStatements(url, planted)).toEqual([...planted.keys()]);
  });

  test(
    "each statement of all operations names its tenants",
    { tags: ["exhaustive"], timeout: slowest },
    async () => {
      let url = "";
      const kept = { ...engine, url: async () => (url = await apart.url()) };
      const statements = await statementsOf(() =>
        runContract(kept, { include: [/ 2\d\d answer: /] }),
      );
      expect(statements.size).toBeGreaterThan(500);
      expect(await strayStatements(url, statements)).toEqual([]);
    },
  );
});

const entry = (ids: readonly string[]) => ({
  at: now,
  actor: "test",
  client_id: null,
  operation: "insert",
  trace_id: null,
  comment: null,
  ids,
});

const bound = (store: Store) => ({
  page: async (filter: string) =>
    allOf(store.records(earlierSightings, { cid: parent }).scanIds(filterOf(filter), now)),
});
