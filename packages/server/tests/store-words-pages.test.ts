import { where, type Fields } from "@security-platform/fql";
import { expect, test } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { PageQuery, Resource } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { recordedReads } from "./support/recorded-reads.ts";

interface Note {
  readonly id: string;
  readonly at: string;
  readonly text: string;
}

const fields: Fields = {
  id: { type: "string", sortable: true },
  at: { type: "timestamp", sortable: true },
  text: { type: "string", case: "insensitive" },
};

const notes: Resource<Note> = {
  name: "notes",
  collection: "test",
  fields,
  id: "id",
  words: "text",
  indexes: ["at"],
};

const cid = "d".repeat(32);
const clock = new ManualClock();
const now = clock.now();

/** Two of three notes name the file. */
const all: readonly Note[] = Array.from({ length: 2_400 }, (_, number) => ({
  id: String(number).padStart(4, "0"),
  at: new Date(now.getTime() + ((number * 7_919) % 10_007) * 1_000).toISOString(),
  text: number % 3 === 0 ? `exe 12 file ${number}` : `seen file-12.exe ${number}`,
}));

forEachEngine((engine) => {
  test("a page of many matching texts follows its order and compares them once", async () => {
    const url = await engine.emptyUrl();
    const store = await openStoreAt({ url, clock, resources: [notes], durable: false });
    const created_at = now.toISOString();
    await store.directory.createTenant({ cid, name: "t", parent_cid: null, created_at });
    await store.write(cid, (transaction) => transaction.records(notes).insert(all, now));
    await store.close();
    const { records, planOf, close } = recordedReads(url, cid, notes);
    try {
      const expected = all
        .filter(({ text }) => text.startsWith("seen"))
        .toSorted((left, right) => (left.at < right.at ? 1 : -1))
        .map(({ id }) => id);
      for (const predicate of [
        where.words("text", ["file", "12", "exe"], [["file", "12", "exe"]]),
        where.text("text", "File-12.exe"),
      ]) {
        const query: PageQuery = {
          predicate,
          sort: [{ field: "at", direction: "desc" }],
          limit: 10,
          shape: "ids",
          now,
          offset: 0,
        };
        const first = await records.page(query);
        expect(first).toMatchObject({ items: expected.slice(0, 10), total: expected.length });
        const third = await records.page({ ...query, offset: 20 });
        expect(third.items).toEqual(expected.slice(20, 30));
        const plan = await planOf(() => records.page(query));
        expect(plan).toMatch(/test_notes__at\b/);
        expect(plan).not.toMatch(/__words|found/);
      }
    } finally {
      await close();
    }
  });
});
