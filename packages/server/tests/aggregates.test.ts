import { lowerFilter, parseFilter } from "@security-platform/fql";
import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aggregate, type AggregateSource } from "../src/aggregates/index.ts";
import { anySpec } from "./support/aggregates/any-spec.ts";
import { now, specOf, type SpecInput } from "./support/aggregates/ask.ts";
import { memoryRecords } from "./support/aggregates/memory-records.ts";
import {
  anySighting,
  sightingFields as fields,
  sightings,
} from "./support/aggregates/sightings.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { JsonObject, Resource, Store } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";

const cid = "a".repeat(32);
const resource: Resource = {
  name: "aggregated_sightings",
  collection: "test",
  fields,
  id: "id",
  indexes: ["level", "seen_at"],
};

/** The records of the unit tests, many random ones, and some whose sums need rounding. */
const stored: readonly JsonObject[] = [
  ...sightings,
  ...fc
    .sample(anySighting, { seed: 7, numRuns: 300 })
    .map((record, index) => ({ id: `random ${index}`, ...record })),
  ...[0.1, 0.2, 0.3, 1e15, -1e15, 0.7].map((score, index) => ({
    id: `fraction ${index}`,
    kind: "fraction",
    score,
  })),
];

const ask = (
  given: SpecInput,
  records: AggregateSource,
  filter = "",
): ReturnType<typeof aggregate> =>
  aggregate(specOf(given), {
    records,
    fields,
    base: lowerFilter(parseFilter(filter), fields, now),
    now,
    limits: { queries: 20_000, buckets: 20_000 },
  });

/** PostgreSQL does this itself a minute after a table was filled; until then its plans are poor. */
async function analyze(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("analyze");
  await client.end();
}

const fixed: readonly SpecInput[] = [
  { type: "terms", field: "name" },
  { type: "terms", field: "tags", missing: "none", exclude: "*e*" },
  { type: "terms", field: "address", sub_aggregates: [{ type: "avg", field: "score" }] },
  { type: "terms", field: "seen_at", size: 500, sort: "_term" },
  { type: "terms", field: "score", size: 500, sort: "_term|desc" },
  { type: "sum", field: "score" },
  { type: "sum", field: "score", filter: "kind:'fraction'" },
  { type: "percentiles", field: "seen_at" },
  {
    type: "date_histogram",
    field: "seen_at",
    interval: "hour",
    time_zone: "Australia/Lord_Howe",
    min_doc_count: 1,
    sub_aggregates: [{ type: "terms", field: "tags" }],
  },
];

forEachEngine((engine) => {
  describe("aggregates", () => {
    let store: Store;
    let records: AggregateSource;
    const inMemory = memoryRecords(stored, fields);

    beforeAll(async () => {
      const url = await engine.emptyUrl();
      store = await openStoreAt({
        url,
        clock: new ManualClock(),
        resources: [resource],
        durable: false,
      });
      const created_at = now.toISOString();
      await store.directory.createTenant({ cid, name: "one", parent_cid: null, created_at });
      const other = "b".repeat(32);
      await store.directory.createTenant({ cid: other, name: "two", parent_cid: null, created_at });
      for (const owner of [cid, other]) {
        await store.write(owner, (transaction) =>
          transaction.records(resource).insert(owner === cid ? stored : stored.slice(0, 40), now),
        );
      }
      if (engine.name === "postgres") await analyze(url);
      records = store.records(resource, { cid });
    });
    afterAll(() => store.close());

    test.each(fixed)("%j", async (given) => {
      expect(await ask(given, records)).toEqual(await ask(given, inMemory));
    });

    test("any specification returns the same as over records in memory", async () => {
      const base = fc.constantFrom("", "expired:!true", "tags:['red','blue']");
      await fc.assert(
        fc.asyncProperty(anySpec, base, async (given, filter) => {
          expect(await ask(given, records, filter)).toEqual(await ask(given, inMemory, filter));
        }),
        { numRuns: runs(100) },
      );
    });
  });
});
