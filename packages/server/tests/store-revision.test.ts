import { expect, test } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { sighting, sightings } from "./support/sightings.ts";
import { child, newStore, now, parent, stranger } from "./support/store.ts";

forEachEngine((engine) => {
  test("the revision changes with every write to the resource, also one by another process", async () => {
    const { store, url } = await newStore(engine);
    const other = await openStoreAt({ url, clock: new ManualClock(), resources: [sightings] });
    const revision = () => store.records(sightings, { cid: child }).revision();
    const seen = [await revision()];
    const step = async (work: () => Promise<unknown>) => {
      await work();
      const after = await revision();
      expect(seen).not.toContain(after);
      seen.push(after);
    };
    try {
      const into = (by: typeof store, cid = child) => ({
        insert: (id: string) =>
          by.write(cid, (transaction) =>
            transaction.records(sightings).insert([sighting(id)], now),
          ),
        replace: (id: string) =>
          by.write(cid, (transaction) =>
            transaction.records(sightings).replace([sighting(id, { kind: "b" })], now),
          ),
        remove: (id: string) =>
          by.write(cid, (transaction) => transaction.records(sightings).remove([id], now)),
      });
      await step(() => into(store).insert("1"));
      await step(() => into(other).insert("2"));
      await step(() => into(other).replace("1"));
      await step(() => into(store).remove("2"));
      await into(store, stranger).insert("3");
      expect(await revision()).toBe(seen.at(-1));
      const both = () => store.records(sightings, { cid: child, records: "both" }).revision();
      const before = await both();
      await into(store, parent).insert("4");
      expect(await both()).not.toBe(before);
      expect(await revision()).toBe(seen.at(-1));
    } finally {
      await other.close();
    }
  });
});
