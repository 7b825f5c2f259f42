import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { serverRole } from "../src/store/dialects/postgres/postgres-dialect.ts";
import { platformCid } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { administer } from "./support/raw-sql.ts";
import { child, filterOf, newStore, now, parent, queryOf, stranger } from "./support/store.ts";
import { sharedSightings, sighting, sightings } from "./support/sightings.ts";

forEachEngine((engine) => {
  const filled = async () => {
    const { store, url } = await newStore(engine);
    for (const cid of [parent, child, stranger]) {
      const record = sighting(`of ${cid[0]}`, { tags: ["t"] });
      await store.write(cid, async (transaction) => {
        await transaction.records(sightings).insert([record], now);
        await transaction.audit({
          at: now,
          actor: "test",
          client_id: null,
          operation: "insert",
          trace_id: null,
          comment: null,
          ids: [record.id],
        });
      });
    }
    return { store, url };
  };

  test("each read sees only its tenants' records, also on a connection used for others", async () => {
    const { store } = await filled();
    const ids = async (cid: string, records?: "own" | "inherited" | "both") =>
      (await store.records(sightings, { cid, ...(records && { records }) }).page(queryOf("")))
        .items;
    const numbers = Array.from({ length: 30 }, (_, at) => at % 5);
    const answers = await Promise.all(
      numbers.map((at) =>
        at === 0
          ? ids(parent)
          : at === 1
            ? ids(child)
            : at === 2
              ? ids(stranger, "both")
              : at === 3
                ? ids(child, "both")
                : ids(child, "inherited"),
      ),
    );
    const expected = [["of a"], ["of b"], ["of c"], ["of b", "of a"], ["of a"]];
    expect(answers).toEqual(numbers.map((at) => expected[at]));
    expect(
      await store
        .records(sightings, { cid: parent, records: "inherited" })
        .page(queryOf("", { offset: 0 })),
    ).toEqual({ items: [], total: 0 });
    expect(
      (await store.directory.auditEntries({ cid: child, limit: 9 })).map((entry) => entry.ids),
    ).toEqual([["of b"]]);
    expect(await store.records(sightings, { cid: child }).count(filterOf("tags:'t'"), now)).toBe(1);
  });

  if (engine.name === "sqlite") return;
  const tables = ["test_sightings", "test_sightings__values", "audit_entries"];
  const asServer = async (url: string, settings: Readonly<Record<string, string>>) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`set role ${serverRole}`);
    for (const [name, value] of Object.entries(settings)) {
      await client.query("select set_config($1, $2, false)", [name, value]);
    }
    return client;
  };

  test("row-level security limits the server's role to the tenants of the setting", async () => {
    const { url } = await filled();
    for (const table of tables) {
      const count = async (settings: Readonly<Record<string, string>>) => {
        const client = await asServer(url, settings);
        const { rows } = await client.query(`select distinct cid from ${table} order by cid`);
        return rows.map((row: { cid: string }) => row.cid);
      };
      expect(await count({}), table).toEqual([]);
      expect(await count({ "app.cids": "" }), table).toEqual([]);
      expect(await count({ "app.cids": child }), table).toEqual([child]);
      expect(await count({ "app.cids": `${child},${parent}` }), table).toEqual([parent, child]);
    }
  });

  test("row-level security shows a tenant the platform records whose audience includes it", async () => {
    const { store, url } = await newStore(engine, [sharedSightings]);
    const sharedRecords = [[parent], [child, parent], [], [stranger]].map((known_to, at) =>
      sighting(String(at), { known_to, tags: ["t"] }),
    );
    await store.write(platformCid, async (transaction) => {
      await transaction.records(sharedSightings).insert(sharedRecords, now);
    });
    for (const [cids, ids] of [
      [[], []],
      [[parent], ["0", "1"]],
      [[child], ["1"]],
      [
        [stranger, child],
        ["1", "3"],
      ],
      [[platformCid], ["0", "1", "2", "3"]],
    ] as const) {
      const client = await asServer(url, { "app.cids": cids.join(",") });
      const { rows } = await client.query("select id from test_shared_sightings order by id");
      expect(rows.map(({ id }: { id: string }) => id)).toEqual(ids);
      const elements = await client.query(
        `select row - 1 as id from test_shared_sightings__values where field = 'tags' order by 1`,
      );
      expect(elements.rows.map(({ id }: { id: string }) => id)).toEqual(ids);
      for (const table of ["test_shared_sightings", "test_shared_sightings__values"]) {
        const writer = await asServer(url, { "app.cids": child, "app.cid": child });
        expect((await writer.query(`delete from ${table}`)).rowCount).toBe(0);
        const stolen = await writer.query(`update ${table} set cid = '${child}'`);
        expect(stolen.rowCount).toBe(0);
      }
    }
  });

  test("the platform reads and adds to an audit trail only in its transactions", async () => {
    const { url } = await filled();
    const count = async (settings: Readonly<Record<string, string>>) => {
      const client = await asServer(url, settings);
      return (await client.query("select from audit_entries")).rowCount;
    };
    expect(await count({ "app.cids": platformCid })).toBe(0);
    expect(await count({ "app.cid": platformCid })).toBe(3);
    const client = await asServer(url, { "app.cid": platformCid });
    expect((await client.query("delete from audit_entries")).rowCount).toBe(0);
  });

  test("row-level security rejects writes for another tenant, or without one", async () => {
    const { url } = await filled();
    for (const table of tables) {
      const reader = await asServer(url, { "app.cids": child });
      expect((await reader.query(`delete from ${table}`)).rowCount, table).toBe(0);
      const writer = await asServer(url, { "app.cids": `${child},${parent}`, "app.cid": child });
      expect((await writer.query(`delete from ${table} where cid = '${parent}'`)).rowCount).toBe(0);
      const moved = writer.query(`update ${table} set cid = '${parent}'`);
      await expect(moved, table).rejects.toThrow(/row-level security|permission denied/);
    }
  });

  test("the server's role owns nothing and cannot disable row-level security", async () => {
    const { url } = await filled();
    const client = await asServer(url, {});
    await expect(
      client.query("alter table test_sightings disable row level security"),
    ).rejects.toThrow(/must be owner/);
    await expect(client.query("delete from schema_migrations")).rejects.toThrow(
      /permission denied/,
    );
    expect(
      await administer(
        url,
        `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin as may
         from pg_roles where rolname = '${serverRole}'`,
      ),
    ).toEqual([{ may: false }]);
  });
});
