import { lowerFilter, parseFilter, parseSort } from "@security-platform/fql";
import { expect, it, onTestFinished } from "vitest";
import { DuplicateRecordError } from "../src/store/errors.ts";
import { openStore } from "../src/store/index.ts";
import type { Store } from "../src/store/types.ts";
import { forEachEngine, type Engine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { sighting, sightingFields, sightings } from "./support/sightings.ts";

const cid = "a".repeat(32);
const now = new Date("2026-03-01T12:00:00Z");

async function storeOn(engine: Engine): Promise<Store> {
  const store = await openStore({
    url: await engine.url(),
    clock: new ManualClock(),
    resources: [sightings],
  });
  onTestFinished(() => store.close());
  await store.directory.createTenant({ cid, name: "first", parent_cid: null, created_at: "2026" });
  return store;
}

const filter = (text: string) => lowerFilter(parseFilter(text), sightingFields, now);

forEachEngine((engine) => {
  it("gives back what was inserted", async () => {
    const store = await storeOn(engine);
    const one = sighting("1", { tags: ["a", "b"], score: 1.5, active: true });
    const texts = await store.write(cid, (tx) =>
      tx.records(sightings).insert([one, sighting("2")], now),
    );
    expect(texts).toEqual([JSON.stringify(one), JSON.stringify(sighting("2"))]);
    const records = store.records(sightings, { cid });
    expect([...(await records.get(["2", "1", "3"], now))]).toEqual([
      ["1", texts[0]],
      ["2", texts[1]],
    ]);
    const page = await records.page({
      predicate: filter("tags:'b'+score:>1"),
      sort: parseSort("score|desc", sightingFields),
      limit: 10,
      shape: "ids",
      now,
      offset: 0,
    });
    expect(page).toEqual({ items: ["1"], total: 1 });
    const groups = await records.facets.groups("tags", filter(""), {
      now,
      limit: 10,
      order: "count",
      direction: "desc",
    });
    expect(groups).toEqual({
      facets: [
        { value: "a", count: 1 },
        { value: "b", count: 1 },
      ],
      total: 2,
      records: 2,
    });
    await expect(
      store.write(cid, (tx) =>
        tx.records(sightings).insert([sighting("9", { name: "NAME 1" })], now),
      ),
    ).rejects.toThrow(DuplicateRecordError);
  });
});
