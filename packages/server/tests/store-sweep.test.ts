import { expect, test } from "vitest";
import { StalePositionError } from "../src/store/types/errors.ts";
import { forEachEngine } from "./support/engines.ts";
import { days, hours } from "./support/manual-clock.ts";
import { administer } from "./support/raw-sql.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";
import { child, newStore, parent, queryOf } from "./support/store.ts";

forEachEngine((engine) => {
  async function swept() {
    const { store, clock, url } = await newStore(engine);
    const insert = (cid: string, ...records: readonly Sighting[]) =>
      store.write(cid, (transaction) =>
        transaction.records(sightings).insert(records, clock.now()),
      );
    const replace = (cid: string, ...records: readonly Sighting[]) =>
      store.write(cid, (transaction) =>
        transaction.records(sightings).replace(records, clock.now()),
      );
    const remove = (cid: string, ...ids: readonly string[]) =>
      store.write(cid, (transaction) => transaction.records(sightings).remove(ids, clock.now()));
    const sweep = () => store.sweep(clock.now());
    return { clock, url, insert, replace, remove, sweep };
  }

  test("reads only tenants that were written since the last sweep", async () => {
    const { clock, insert, replace, sweep } = await swept();
    await insert(child, sighting("1", { tags: ["a"] }), sighting("2"));
    await insert(parent, sighting("3"));
    expect(await sweep()).toEqual({ tenants: 2, rows: 0 });
    await replace(child, sighting("1", { note: "newer" }));
    clock.advance(hours(2));
    expect(await sweep()).toEqual({ tenants: 2, rows: 1 });
    expect(await sweep()).toEqual({ tenants: 0, rows: 0 });
    clock.advance(days(400));
    expect(await sweep()).toEqual({ tenants: 0, rows: 0 });
    await replace(child, sighting("2", { note: "newer" }));
    clock.advance(hours(2));
    expect(await sweep()).toEqual({ tenants: 1, rows: 1 });
  });

  test("purges deleted records on time, also without further writes", async () => {
    const { clock, insert, remove, sweep } = await swept();
    await insert(child, sighting("1"), sighting("2"), sighting("3"));
    await remove(child, "1");
    clock.advance(days(1));
    await remove(child, "2");
    clock.advance(hours(2));
    expect(await sweep()).toEqual({ tenants: 1, rows: 2 });
    expect(await sweep()).toEqual({ tenants: 0, rows: 0 });
    clock.advance(days(29));
    expect(await sweep()).toEqual({ tenants: 1, rows: 1 });
    expect(await sweep()).toEqual({ tenants: 0, rows: 0 });
    clock.advance(days(1));
    expect(await sweep()).toEqual({ tenants: 1, rows: 1 });
    expect(await sweep()).toEqual({ tenants: 0, rows: 0 });
  });

  test("continues an interrupted sweep", async () => {
    const { clock, url, insert, replace, sweep } = await swept();
    await insert(child, sighting("1"));
    await replace(child, sighting("1", { note: "newer" }));
    clock.advance(hours(2));
    // The state after a crash between the mark and the deletion.
    await administer(
      url,
      `update write_numbers set swept = number where cid = '${child}' and resource = ''; select 1`,
    );
    expect(await sweep()).toEqual({ tenants: 1, rows: 1 });
  });

  test("two sweeps at the same time keep the mark of the later one", async () => {
    const { store, clock } = await newStore(engine);
    const records = store.records(sightings, { cid: child });
    const write = (note: string) =>
      store.write(child, (transaction) =>
        transaction
          .records(sightings)
          .put([sighting("1", { note }), sighting("2", { note })], clock.now()),
      );
    await write("first");
    const { next } = await records.page(queryOf("", { limit: 1 }));
    const earlier = clock.now();
    clock.advance(hours(1));
    await write("second");
    clock.advance(hours(2));
    await Promise.all([
      store.sweep(clock.now()),
      store.sweep(new Date(earlier.getTime() + hours(1))),
    ]);
    const rest = records.page(queryOf("", next && { after: next }));
    await expect(rest).rejects.toThrow(StalePositionError);
  });

  test("stops between two batches when aborted", async () => {
    const { store, clock } = await newStore(engine);
    await store.write(child, async (transaction) => {
      await transaction.records(sightings).insert([sighting("1")], clock.now());
    });
    await store.write(child, async (transaction) => {
      await transaction.records(sightings).replace([sighting("1")], clock.now());
    });
    clock.advance(hours(2));
    const stop = AbortSignal.abort(new Error("stop"));
    await expect(store.sweep(clock.now(), stop)).rejects.toThrow("stop");
    expect(await store.sweep(clock.now())).toEqual({ tenants: 1, rows: 1 });
  });
});
