import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { StalePositionError } from "../src/store/types/errors.ts";
import type { WritableRecords } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { hours, minutes } from "./support/manual-clock.ts";
import { child, everyPage, newStore, now, parent, queryOf } from "./support/store.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";

const change = fc.record({
  kind: fc.constantFrom("insert" as const, "update" as const, "remove" as const),
  id: fc.integer({ min: 0, max: 39 }),
  score: fc.constantFrom(1, 2, 3, null),
});
const sorts = ["", "score|desc", "score|asc", "kind|asc,score|desc", "level_number|asc"];

forEachEngine((engine) => {
  test("a scan sees each remaining record exactly once, in its state when the scan began", async () => {
    const { store, clock } = await newStore(engine);
    const records = store.records(sightings, { cid: child });
    let cases = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sorts),
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.array(change, { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
        async (sort, limit, changes) => {
          await store.write(child, async (transaction) => {
            const into = transaction.records(sightings);
            const all = Array.from({ length: 40 }, (_, id) => `${id}`);
            await into.remove(all, now);
            await into.put(
              all.slice(0, 20).map((id) => numbered(Number(id), 2)),
              now,
            );
          });
          const query = { ...queryOf("", { sort }), limit, shape: "records" as const };
          const before = await everyPage(records, query);
          let round = 0;
          const seen = await everyPage(records, query, async () => {
            const todo = changes[round % changes.length] ?? [];
            round += 1;
            await store.write(child, (transaction) =>
              applyAll(todo, transaction.records(sightings)),
            );
          });
          expect(seen).toEqual(before);
          cases += 1;
          if (cases % 50 > 0) return;
          // Superseded versions would make each case slower than the one before it.
          clock.advance(hours(3));
          await store.sweep(clock.now());
        },
      ),
      { numRuns: runs(25) },
    );
  });

  test("a sweep keeps scans of the last hour valid, and older ones are rejected", async () => {
    const { store, clock } = await newStore(engine);
    const records = store.records(sightings, { cid: child });
    const insert = (ids: readonly number[]) =>
      store.write(child, (transaction) =>
        transaction.records(sightings).insert(
          ids.map((id) => numbered(id, id)),
          now,
        ),
      );
    const update = (id: number) =>
      store.write(child, (transaction) =>
        transaction.records(sightings).replace([numbered(id, 9)], now),
      );
    await insert([1, 2, 3]);
    const first = await records.page({ ...queryOf("", { sort: "score|asc" }), limit: 1 });
    clock.advance(minutes(30));
    await update(2);
    clock.advance(minutes(45));
    await store.sweep(clock.now());
    const rest = {
      ...queryOf("", { sort: "score|asc" }),
      ...(first.next && { after: first.next }),
    };
    expect((await records.page(rest)).items).toEqual(["2", "3"]);
    clock.advance(minutes(30));
    await update(3);
    await store.sweep(clock.now());
    // `expect(…).rejects` would keep the store in memory until the test ends.
    const stale = await records.page(rest).catch((error: unknown) => error);
    expect(stale).toBeInstanceOf(StalePositionError);
    expect((await records.page(queryOf("", { sort: "score|asc" }))).items).toEqual(["1", "2", "3"]);
    clock.advance(hours(2));
    await store.sweep(clock.now());
    await store.sweep(clock.now());
    expect((await records.page(queryOf("score:9"))).items).toEqual(["2", "3"]);
  });

  test("a scan that includes a parent's records sees both tenants in their earlier state", async () => {
    const { store } = await newStore(engine);
    const insert = (cid: string, ids: readonly number[]) =>
      store.write(cid, (transaction) =>
        transaction.records(sightings).insert(
          ids.map((id) => numbered(id, id % 2)),
          now,
        ),
      );
    await insert(child, [1, 2]);
    await insert(parent, [3, 4, 5]);
    const records = store.records(sightings, { cid: child, records: "both" });
    let next = 6;
    const seen = await everyPage(
      records,
      { ...queryOf("", { sort: "score|desc" }), limit: 1 },
      async () => {
        await insert(child, [(next += 1)]);
        await insert(parent, [(next += 1)]);
        await store.write(parent, (transaction) =>
          transaction.records(sightings).remove(["4", "5"], now),
        );
      },
    );
    expect(seen).toEqual(["1", "5", "3", "2", "4"]);
  });
});

const numbered = (id: number, score: number | null): Sighting =>
  sighting(`${id}`, { score, kind: id % 3 === 0 ? null : `k${id % 3}`, level: "low" });

async function applyAll(
  changes: readonly { kind: string; id: number; score: number | null }[],
  into: WritableRecords<Sighting>,
): Promise<void> {
  for (const { kind, id, score } of changes) {
    if (kind === "remove") await into.remove([`${id}`], now);
    else await into.put([numbered(id, score)], now);
  }
}
