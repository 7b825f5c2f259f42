import { where, type Fields } from "@security-platform/fql";
import { expect, test } from "vitest";
import { TextTooLongError } from "../src/store/types/errors.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Resource } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";

interface Report {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
}

const fields: Fields = {
  id: { type: "string", sortable: true },
  title: { type: "string" },
  text: { type: "string", case: "insensitive" },
  tags: { type: "string", array: true },
};

const reports: Resource<Report> = {
  name: "reports",
  collection: "test",
  fields,
  id: "id",
  words: "text",
  indexes: ["title"],
};

const cid = "c".repeat(32);
const clock = new ManualClock();
const now = clock.now();

const report = (number: number, title = `Report ${number}`): Report => ({
  id: String(number).padStart(2, "0"),
  title,
  text: `report${number} ${"filler ".repeat(30_000)}`,
  tags: [`tag${number}`],
});

forEachEngine((engine) => {
  test(
    "long records of one write are stored in parts, all or none",
    { tags: ["exhaustive"] },
    async () => {
      const store = await openStoreAt({
        url: await engine.emptyUrl(),
        clock,
        resources: [reports],
        durable: false,
      });
      try {
        const created_at = now.toISOString();
        await store.directory.createTenant({ cid, name: "t", parent_cid: null, created_at });
        const insert = (records: readonly Report[]) =>
          store.write(cid, (transaction) => transaction.records(reports).insert(records, now));
        const reader = store.records(reports, { cid });
        const all = Array.from({ length: 20 }, (_, number) => report(number));
        const refused = [...all, report(20, "x".repeat(10_000))];
        await expect(insert(refused)).rejects.toThrow(TextTooLongError);
        expect(await reader.count(where.everything, now)).toBe(0);
        const texts = await insert(all);
        expect(texts.map((text) => (JSON.parse(text) as Report).id)).toEqual(
          all.map(({ id }) => id),
        );
        for (const { id, tags } of [all[0], all[10], all[19]].flatMap((each) => each ?? [])) {
          const word = where.words("text", [`report${Number(id)}`]);
          const tag = where.equal("tags", tags[0] ?? "");
          for (const predicate of [word, tag]) {
            const page = await reader.page({ predicate, sort: [], limit: 10, shape: "ids", now });
            expect(page.items).toEqual([id]);
          }
        }
      } finally {
        await store.close();
      }
    },
  );
});
