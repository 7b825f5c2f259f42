import { lowerFilter, parseFilter, parseSort } from "@security-platform/fql";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openStore } from "../src/store/index.ts";
import type { PageQuery, Position, Records, Sight, Store } from "../src/store/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { days, hours, ManualClock } from "./support/manual-clock.ts";
import { SightingModel, type Question } from "./support/sighting-model.ts";
import { sightingFields, sightings, type Sighting } from "./support/sightings.ts";

const parent = "a".repeat(32);
const child = "b".repeat(32);
const start = "2026-03-01T12:00:00Z";

const filters = [
  "",
  "expired:true",
  "expired:false",
  "state:'open'",
  "state:'over',score:>2",
  "level:['low','high']+kind:!'x'",
  "kind:'x'",
  "kind:!*",
  "name:'NAME 3'",
  "name:*'name*'+tags:'red'",
  "name:~'NAME'+ports:443",
  "tags:['red','blue']",
  "tags:!'red'",
  "from_parent:true",
  "from_parent:false+score:<=2",
  "deleted:true",
  "deleted:true+kind:'x'",
  "seen_at:>='2026-03-01'",
  "(kind:'x',level:'high')+active:!true",
];
const sorts = [
  "",
  "score|desc",
  "score|asc",
  "name|asc",
  "state|desc",
  "state|asc,score|desc",
  "level_number|desc,name|asc",
  "seen_at|asc",
  "expired|asc,kind|desc",
  "from_parent|desc,kind|asc",
];

const offsets = [-hours(30), -hours(1), 0, hours(2), days(20)];
const instants = offsets.map((offset) => new Date(Date.parse(start) + offset).toISOString());

const arbitrarySighting: fc.Arbitrary<Sighting> = fc
  .record(
    {
      id: fc.integer({ min: 1, max: 12 }),
      kind: fc.constantFrom("x", "y", null),
      level: fc.constantFrom("low", "medium", "high"),
      score: fc.constantFrom(1, 2, 2.5, 3, null),
      active: fc.boolean(),
      seen_at: fc.constantFrom(...instants),
      tags: fc.subarray(["red", "blue", "Red"]),
      ports: fc.subarray([22, 443]),
      expires_at: fc.constantFrom(...instants),
      state: fc.constantFrom("open", "shut"),
    },
    { requiredKeys: ["id"] },
  )
  .map(({ id, ...rest }) => ({ id: String(id), name: `Name ${id}`, expired: false, ...rest }));

type Step =
  | { readonly kind: "put" | "remove"; readonly cid: string; readonly record: Sighting }
  | { readonly kind: "wait"; readonly milliseconds: number }
  | {
      readonly kind: "ask";
      readonly sight: Required<Sight>;
      readonly filter: string;
      readonly sort: string;
      readonly limit: number;
    };

const arbitraryCid = fc.constantFrom(parent, child);
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("put" as const),
        cid: arbitraryCid,
        record: arbitrarySighting,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("remove" as const),
        cid: arbitraryCid,
        record: arbitrarySighting,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("wait" as const),
        milliseconds: fc.constantFrom(hours(1), days(12)),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("ask" as const),
        sight: fc.record({
          cid: arbitraryCid,
          records: fc.constantFrom("own" as const, "inherited" as const, "both" as const),
        }),
        filter: fc.constantFrom(...filters),
        sort: fc.constantFrom(...sorts),
        limit: fc.integer({ min: 1, max: 5 }),
      }),
    },
  ),
  { minLength: 40, maxLength: 80 },
);

forEachEngine((engine) => {
  test(
    "whatever is written and whenever it is asked, answers are those of a plain list",
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (todo) => {
          const clock = new ManualClock(start);
          const store = await openStore({ url: await engine.url(), clock, resources: [sightings] });
          try {
            await createTenants(store);
            const model = new SightingModel();
            for (const step of todo) await take(step, store, model, clock);
          } finally {
            await store.close();
          }
        }),
        { numRuns: 12 },
      );
    },
  );
});

async function createTenants({ directory }: Store): Promise<void> {
  const created_at = start;
  await directory.createTenant({ cid: parent, name: "parent", parent_cid: null, created_at });
  await directory.createTenant({ cid: child, name: "child", parent_cid: parent, created_at });
}

async function take(
  step: Step,
  store: Store,
  model: SightingModel,
  clock: ManualClock,
): Promise<void> {
  const now = clock.now();
  switch (step.kind) {
    case "wait":
      clock.advance(step.milliseconds);
      return store.sweep(clock.now());
    case "put":
      await put(step.cid, step.record, store, model, now);
      return;
    case "remove":
      await store.write(step.cid, (transaction) =>
        transaction.records(sightings).remove([step.record.id], now),
      );
      model.remove(step.cid, step.record.id, now);
      return;
    case "ask":
      await ask(step, store, model, now);
  }
}

/** By `insert` or `replace` where one of them may be used, so that both are. */
async function put(
  cid: string,
  record: Sighting,
  store: Store,
  model: SightingModel,
  now: Date,
): Promise<void> {
  const kept = model.find(cid, record.id, now);
  await store.write(cid, async (transaction) => {
    const records = transaction.records(sightings);
    if (kept === undefined) await records.insert([record], now);
    else if (kept.deletedAt === null) await records.replace([record], now);
    else await records.put([record], now);
  });
  model.put(cid, record, now);
}

async function ask(
  step: Extract<Step, { kind: "ask" }>,
  store: Store,
  model: SightingModel,
  now: Date,
): Promise<void> {
  const { sight, limit } = step;
  const question: Question = { filter: step.filter, sort: step.sort, now };
  const own = { cid: sight.cid, ancestor: null };
  const above = sight.cid === child ? [{ cid: parent, ancestor: "parent" }] : [];
  const owners =
    sight.records === "own" ? [own] : sight.records === "both" ? [own, ...above] : above;
  const expected = model.answer(question, owners);
  const records = store.records(sightings, sight);
  const query: PageQuery = {
    predicate: lowerFilter(parseFilter(step.filter), sightingFields, now),
    sort: parseSort(step.sort, sightingFields),
    limit,
    shape: "records",
    now,
  };
  const about = JSON.stringify(step);
  expect(await everyPage(records, query), about).toEqual(expected);
  expect(await records.page({ ...query, offset: 2 }), about).toMatchObject({
    items: expected.slice(2, 2 + limit),
    total: expected.length,
  });
  expect(await records.count(query.predicate, now), about).toBe(expected.length);
  const states = await records.facets.groups("state", query.predicate, {
    now,
    limit: 10,
    order: "value",
    direction: "asc",
  });
  const counts = Map.groupBy(expected, (text) => (JSON.parse(text) as Sighting).state);
  for (const { value, count } of states.facets) {
    expect(counts.get(String(value))?.length, about).toBe(count);
  }
}

async function everyPage(records: Records<Sighting>, query: PageQuery): Promise<readonly string[]> {
  const items: string[] = [];
  let after: Position | undefined;
  do {
    const page = await records.page({ ...query, ...(after && { after }) });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}
