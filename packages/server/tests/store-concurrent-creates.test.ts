import { expect, test } from "vitest";
import { DuplicateRecordError } from "../src/store/types/errors.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Store } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { testKeys } from "./support/secret-keys.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";
import { child, filterOf, newStore, now, stranger } from "./support/store.ts";

/** Transactions of one tenant that wait for each other share a commit. */
forEachEngine((engine) => {
  const setUp = async () => {
    const { store, url } = await newStore(engine);
    const createIn = async (
      into: Store,
      record: Sighting,
      { cid = child, fails = false } = {},
    ): Promise<string> => {
      try {
        await into.write(cid, async (transaction) => {
          await transaction.records(sightings).insert([record], now);
          if (fails) throw new Error("failed");
        });
        return "created";
      } catch (error) {
        return error instanceof DuplicateRecordError ? error.keys.join() : (error as Error).message;
      }
    };
    const create = (record: Sighting, options?: Parameters<typeof createIn>[2]) =>
      createIn(store, record, options);
    const count = (cid = child) => store.records(sightings, { cid }).count(filterOf(""), now);
    return { url, createIn, create, count };
  };

  test("of transactions that create the same id or key at the same time, the first succeeds", async () => {
    const { create, count } = await setUp();
    const outcomes = await Promise.all([
      ...["1", "2", "2", "3"].map((id) => create(sighting(id))),
      create(sighting("4", { name: "Name 3" })),
      create(sighting("5", { name: "name 6" })),
      create(sighting("6")),
      create(sighting("2", { name: "another" })),
    ]);
    const created = "created";
    expect(outcomes).toEqual([created, created, "2", created, "name 3", created, "name 6", "2"]);
    expect(await count()).toBe(4);
    const again = await Promise.all([
      ...["7", "2", "8"].map((id) => create(sighting(id))),
      create(sighting("9", { name: "name 1" })),
    ]);
    expect(again).toEqual([created, "2", created, "name 1"]);
  });

  test("a failed transaction leaves its id and key to waiting transactions", async () => {
    const { create, count } = await setUp();
    const outcomes = await Promise.all([
      create(sighting("1"), { fails: true }),
      create(sighting("1")),
      create(sighting("2"), { fails: true }),
      create(sighting("3", { name: "name 2" })),
      create(sighting("2")),
      create(sighting("2", { name: "two" })),
    ]);
    expect(outcomes).toEqual(["failed", "created", "failed", "created", "name 2", "created"]);
    expect(await count()).toBe(3);
  });

  test("tenants create the same ids independently", async () => {
    const { create, count } = await setUp();
    const outcomes = await Promise.all(
      ["1", "1", "2"].flatMap((id) =>
        [child, stranger].map((cid) => create(sighting(id), { cid })),
      ),
    );
    expect(outcomes).toEqual(["created", "created", "1", "1", "created", "created"]);
    expect([await count(), await count(stranger)]).toEqual([2, 2]);
  });

  test("two processes that create the same records create each once", async () => {
    const { url, createIn, create, count } = await setUp();
    const other = await openStoreAt({
      url,
      clock: new ManualClock(now.toISOString()),
      resources: [sightings],
      keys: testKeys,
      durable: false,
    });
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, at) => {
        const record = sighting(String(at >> 2));
        return at % 2 === 0 ? create(record) : createIn(other, record);
      }),
    );
    await other.close();
    expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(10);
    expect(new Set(outcomes.filter((outcome) => outcome !== "created"))).toEqual(
      new Set(Array.from({ length: 10 }, (_, at) => String(at))),
    );
    expect(await count()).toBe(10);
  });
});
