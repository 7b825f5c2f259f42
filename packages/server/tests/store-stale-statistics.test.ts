/** @module-tag exhaustive */
import { expect, onTestFinished, test } from "vitest";
import type { Facets, PageQuery } from "../src/store/types/types.ts";
import { onPostgres } from "./support/engines.ts";
import { recordedReads } from "./support/recorded-reads.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";
import { child, filterOf, later, newStore, now, queryOf } from "./support/store.ts";

const records = 2_000;
/** A read of all records with several steps processes each record this many times. */
const most = 25 * records;

const numbered = (id: number): Sighting =>
  sighting(String(id), {
    name: `Name ${id}`,
    kind: "usual",
    score: id,
    seen_at: later(id * 1_000).toISOString(),
    level: id % 2 === 0 ? "low" : "high",
    tags: id % 3 === 0 ? ["all", "third"] : ["all"],
    ports: [id % 5],
  });

/** PostgreSQL has taken no statistics since the table was empty: the tests run it without autovacuum. */
onPostgres((engine) => {
  const fill = async (): Promise<string> => {
    const { store, url } = await newStore(engine);
    const all = Array.from({ length: records }, (_, id) => numbered(id));
    await store.write(child, (transaction) => transaction.records(sightings).insert(all, now));
    await store.write(child, async (transaction) => {
      const writer = transaction.records(sightings);
      const [replaced, removed] = [all.slice(0, 200), all.slice(200, 400)];
      await writer.replace(
        replaced.map((each) => ({ ...each, score: -1 })),
        now,
      );
      await writer.remove(
        removed.map(({ id }) => id),
        now,
      );
    });
    return url;
  };
  /** All tests only read the records. */
  let database: Promise<string> | undefined;
  const filled = async () => {
    database ??= fill();
    const reads = recordedReads(await database, child, sightings);
    onTestFinished(() => reads.close());
    return reads;
  };

  const filters = [
    "",
    "kind:'usual'",
    "kind:'usual'+level:'high'",
    "kind:'usual'+score:>=0",
    "name:*'name 1*'",
    "tags:'all'",
    "tags:'third'+kind:'usual'",
    "tags:'all'+tags:!'third'",
    "labels:'ALL'",
    "ports:[1,2]",
    "state:!'over'+expired:!true",
    "deleted:true",
    "kind:'usual',tags:'third'",
  ];

  test("no read of a page or a total compares each record with each hidden one", async () => {
    const { records: list, rowsReadIn } = await filled();
    for (const filter of filters) {
      expect(await rowsReadIn(() => list.count(filterOf(filter), now)), filter).toBeLessThan(most);
      for (const sort of ["", "score|desc", "level|asc"]) {
        const query: PageQuery = { ...queryOf(filter, { sort }), limit: 10, offset: 0 };
        const read = await rowsReadIn(() => list.page(query));
        expect(read, `page of ${filter} by ${sort}`).toBeLessThan(most);
      }
    }
  });

  test("no aggregate compares each record with each hidden one", async () => {
    const { records: list, rowsReadIn } = await filled();
    const groups = { now, limit: 5, order: "count", direction: "desc" } as const;
    const questions: Readonly<
      Record<string, (facets: Facets, filter: string) => Promise<unknown>>
    > = {
      kinds: (facets, filter) => facets.groups("kind", filterOf(filter), groups),
      levels: (facets, filter) => facets.groups("level", filterOf(filter), groups),
      tags: (facets, filter) => facets.groups("tags", filterOf(filter), groups),
      scores: (facets, filter) => facets.statistics("score", filterOf(filter), now),
      names: (facets, filter) => facets.cardinality("name", filterOf(filter), now),
      ranks: (facets, filter) =>
        facets.valuesAtRanks("score", filterOf(filter), { now, ranks: [5, 99] }),
      days: (facets, filter) =>
        facets.timestampGroups("seen_at", filterOf(filter), { now, length: 10 }),
    };
    for (const filter of filters) {
      for (const [name, ask] of Object.entries(questions)) {
        const read = await rowsReadIn(() => ask(list.facets, filter));
        expect(read, `${name} of ${filter}`).toBeLessThan(most);
      }
    }
  });
});
