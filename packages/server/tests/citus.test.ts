import { Client } from "pg";
import { expect, test } from "vitest";
import { beginOnNodes } from "../src/store/dialects/postgres/citus.ts";
import { skipWithout } from "../../../testing/platform.ts";
import { ofExistingClients, runContract, slowest } from "./support/contract-run.ts";
import { onPostgres } from "./support/engines.ts";
import { sighting, sightings } from "./support/sightings.ts";
import { child, newStore, now, parent } from "./support/store.ts";

onPostgres(
  (engine) => {
    skipWithout("Citus");

    test(
      "every table with tenants is distributed by them, and rows of a tenant are on one node",
      { timeout: slowest },
      async () => {
        const client = new Client({ connectionString: await engine.bareUrl() });
        await client.connect();
        try {
          const { rows } = await client.query<{ kind: string; groups: number; tables: string }>(`
          select citus_table_type as kind, count(distinct colocation_id)::int as groups,
            string_agg(table_name::text, ' ' order by table_name::text) filter (where citus_table_type <> 'distributed') as tables
          from citus_tables group by 1 order by 1`);
          expect(rows).toEqual([
            { kind: "distributed", groups: 1, tables: null },
            expect.objectContaining({ kind: "local", tables: "jobs keyed_requests" }),
            expect.objectContaining({ kind: "reference" }),
          ]);
          const { rows: left } = await client.query<{ name: string }>(`
          select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'cid'
          where relkind = 'r' and relnamespace = 'public'::regnamespace
            and pg_class.oid not in (select logicalrelid from pg_dist_partition)`);
          expect(left).toEqual([]);
        } finally {
          await client.end();
        }
      },
    );

    test("the nodes enforce row-level security, also where a statement names no tenant", async () => {
      const { store, url } = await newStore(engine);
      for (const cid of [parent, child]) {
        await store.write(cid, (transaction) =>
          transaction.records(sightings).insert([sighting(cid)], now),
        );
      }
      const client = new Client({ connectionString: url });
      await client.connect();
      const asParent = async (statement: string) => {
        for (const each of beginOnNodes(parent, parent, 0)) await client.query(each);
        try {
          return await client.query(statement);
        } finally {
          await client.query("rollback");
        }
      };
      try {
        const { rows } = await asParent("select distinct cid from test_sightings");
        expect(rows).toEqual([{ cid: parent }]);
        const update = `update test_sightings set valid_to = 1 where cid = '${child}'`;
        expect((await asParent(update)).rowCount).toBe(0);
        const insert = `insert into audit_entries (cid, number, at, actor, operation, ids)
          values ('${child}', 9, 'now', 'test', 'test', '[]')`;
        await expect(asParent(insert)).rejects.toThrow("row-level security");
      } finally {
        await client.end();
      }
    });

    test(
      "every documented response of every operation is obtained, and the laws hold",
      { timeout: slowest },
      () => runContract(engine),
    );

    test(
      "with --compat, every success is an Envelope, and requests of existing clients are accepted",
      { timeout: slowest },
      () => runContract(engine, ofExistingClients),
    );
  },
  { tags: ["exhaustive", "nightly"] },
);
