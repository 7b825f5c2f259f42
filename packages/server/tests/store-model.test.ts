import { lowerFilter, parseFilter, parseSort } from "@security-platform/fql";
import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { layoutOf } from "../src/store/columns.ts";
import { DuplicateRecordError } from "../src/store/errors.ts";
import { openStore } from "../src/store/index.ts";
import {
  platformCid,
  type PageQuery,
  type Position,
  type Records,
  type Resource,
  type Store,
} from "../src/store/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { connectAsOwner } from "./support/raw-sql.ts";
import { modelFields, type ModelOwner, type Question } from "./support/sighting-model.ts";
import { newSides, sideResources, type ModelScope, type Side } from "./support/sighting-sides.ts";
import {
  child,
  parent,
  start,
  steps,
  type QuestionKind,
  type Step,
} from "./support/sighting-steps.ts";
import type { Sighting } from "./support/sightings.ts";

forEachEngine((engine) => {
  test("after any writes, at any time, results are those of a plain list", async () => {
    const url = await engine.emptyUrl();
    const resources = sideResources;
    const clock = new StoryClock();
    const store = await openStore({ url, clock, resources, durable: false });
    const owner = await connectAsOwner(url);
    try {
      await createTenants(store);
      if (engine.name === "postgres") await owner.run(planOnce);
      let cases = 0;
      await fc.assert(
        fc.asyncProperty(steps, async (todo) => {
          const sides = newSides();
          try {
            for (const step of todo) await take(step, store, sides, clock);
          } finally {
            cases += 1;
            const removes =
              engine.name === "postgres" && cases % 20 === 0 ? "truncate" : "delete from";
            await owner.run(emptyScript(removes));
            clock.restart();
          }
        }),
        // Shrinking a failure would exceed the time limit of a test.
        { numRuns: runs(8), endOnFailure: true },
      );
    } finally {
      await owner.close();
      await store.close();
    }
  });
});

/** Each case starts at the same time. */
class StoryClock extends ManualClock {
  #passed = 0;

  constructor() {
    super(start);
  }

  override advance(milliseconds: number): void {
    this.#passed += milliseconds;
    super.advance(milliseconds);
  }

  restart(): void {
    this.advance(-this.#passed);
  }
}

/** PostgreSQL plans each statement once per connection instead of five times. */
const planOnce = `do $$ begin
    execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database());
  end $$`;

/**
 * Keeps the tenants and the numbers of their last writes, because caches of the store refer to
 * them. A store or a database for each case would take most of the time. PostgreSQL keeps deleted
 * rows until tables are truncated, which takes longer.
 */
function emptyScript(removes: "truncate" | "delete from"): string {
  const filled = sideResources
    .map(layoutOf)
    .flatMap(({ table, valuesTable }) => [table, valuesTable]);
  const emptied = [...filled, "write_times"].map((table) => `${removes} ${table};`);
  return `begin; ${emptied.join(" ")} delete from write_numbers where resource <> ''; commit;`;
}

async function createTenants({ directory }: Store): Promise<void> {
  const created_at = start;
  await directory.createTenant({ cid: parent, name: "parent", parent_cid: null, created_at });
  await directory.createTenant({ cid: child, name: "child", parent_cid: parent, created_at });
}

async function take(
  step: Step,
  store: Store,
  sides: readonly Side[],
  clock: ManualClock,
): Promise<void> {
  const now = clock.now();
  if (step.kind === "wait") {
    clock.advance(step.milliseconds);
    await store.sweep(clock.now());
    return;
  }
  const side = sides[step.side] as Side;
  if (step.kind === "ask") return askIn(step, store, side, now);
  const { resource, model } = side;
  const cid = side.writer(step.cid);
  if (step.kind === "put") return put(cid, side.written(step.record), store, side, now);
  await store.write(cid, (transaction) =>
    transaction.records(resource).remove([step.record.id], now),
  );
  model.remove(cid, step.record.id, now);
}

/** Uses `insert` or `replace` if allowed, so that both are tested. */
async function put(
  cid: string,
  record: Sighting,
  store: Store,
  side: Side,
  now: Date,
): Promise<void> {
  const { resource, model } = side;
  const kept = model.find(cid, record.id, now);
  // Without a scope, a transaction sees everything.
  const owners = ownersOf(side, { cid, records: "own", tags: [] }).map(
    ({ ancestor, replacedBy, cid: owner }): ModelOwner =>
      replacedBy === undefined ? { cid: owner, ancestor } : { cid: owner, ancestor, replacedBy },
  );
  const written = store.write(cid, async (transaction) => {
    const records = transaction.records(resource);
    const taken = (await records.getForUpdate([record.id])).get(record.id);
    expect(taken).toEqual(model.stored(owners, now).get(record.id));
    if (taken !== undefined) await records.replace([record], now);
    else if (kept === undefined) await records.insert([record], now);
    else await records.put([record], now);
  });
  if (model.isNameTaken(record, owners, now)) {
    // `expect(…).rejects` would keep the store in memory until the test ends.
    expect(await written.catch((error: unknown) => error)).toBeInstanceOf(DuplicateRecordError);
    return;
  }
  await written;
  model.put(cid, record, now);
}

const ownersOf = (side: Side, scope: ModelScope): readonly ModelOwner[] =>
  side.owners(scope, (cid) => (cid === child ? [{ cid: parent, ancestor: "parent" }] : []));

type Ask = Extract<Step, { kind: "ask" }>;

/** Reads from the store or, for a reader with own records, from a transaction. */
async function askIn(step: Ask, store: Store, side: Side, now: Date): Promise<void> {
  const { scope, inside } = step;
  const { resource, model } = side;
  const writes = scope.cid === parent || scope.cid === child;
  if (!inside || !side.own || !writes || scope.records !== "own") {
    return ask(step, store.records(resource, scope), side, now);
  }
  await store.write(scope.cid, async (transaction) => {
    const records = transaction.records(resource, scope);
    await ask(step, records, side, now);
    const owners = ownersOf(side, scope);
    expect(await records.getForUpdate(everyId)).toEqual(model.stored(owners, now));
  });
}

/** Asks the step's questions about one filter, and compares the answers with the model's. */
async function ask(step: Ask, records: Records<Sighting>, side: Side, now: Date): Promise<void> {
  const { resource, model } = side;
  const held = side.held && step.scope.cid !== platformCid;
  const filter = held ? step.heldFilter : step.filter;
  const sort = held ? step.heldSort : step.sort;
  const { limit } = step;
  const question: Question = { filter, sort, now };
  const owners = ownersOf(side, step.scope);
  const expected = model.answer(question, owners);
  const whole = model.records(question, owners);
  const query: PageQuery = {
    predicate: lowerFilter(parseFilter(filter), modelFields, now),
    sort: parseSort(sort, modelFields),
    limit,
    shape: "records",
    now,
  };
  const about = JSON.stringify(step);
  const counts = (field: string) =>
    records.facets.groups(field, query.predicate, {
      now,
      limit: 10,
      order: "value",
      direction: "asc",
    });
  const distinct = (field: string) => records.distinct(field, query.predicate, { now, limit: 9 });
  const tags = whole.flatMap((record) => record.tags ?? []);
  const answers: Record<QuestionKind, () => Promise<void>> = {
    pages: async () => expect(await everyPage(records, query), about).toEqual(expected),
    offset: async () =>
      expect(await records.page({ ...query, offset: 2 }), about).toMatchObject({
        items: expected.slice(2, 2 + limit),
        total: expected.length,
      }),
    count: async () =>
      expect(await records.count(query.predicate, now), about).toBe(expected.length),
    ids: async () => {
      const stored = model.records({ filter: "", sort: "", now }, owners);
      // Over many steps each identifier has its turn.
      const alone = everyId[(limit + filter.length) % everyId.length] ?? "";
      await askById(records, stored, resource, { alone, now });
    },
    scan: async () => {
      const scanned: Sighting[] = [];
      for await (const batch of records.scanComplete(query.predicate, now, limit))
        scanned.push(...batch);
      expect(byText(scanned), about).toEqual(byText(whole));
    },
    states: async () =>
      expect((await counts("state")).facets, about).toEqual(
        inOrder(whole.flatMap(({ state }) => state ?? [])),
      ),
    tags: async () => {
      expect((await counts("tags")).facets, about).toEqual(inOrder(tags));
      expect(await distinct("tags"), about).toEqual([...new Set(tags)].toSorted());
    },
    held: async () => {
      if (!held) return;
      const asRead = model.asRead(question, owners);
      const values = asRead.map((record) => record.held === true);
      expect((await counts("held")).facets.map(({ count }) => count)).toEqual(
        [false, true].flatMap((value) => values.filter((each) => each === value).length || []),
      );
      expect(await records.facets.cardinality("held", query.predicate, now)).toBe(
        new Set(values).size,
      );
    },
    heldTags: async () => {
      if (!held) return;
      const heldTags = model.asRead(question, owners).flatMap((record) => record.held_tags ?? []);
      expect((await counts("held_tags")).facets, about).toEqual(inOrder(heldTags));
      expect(await distinct("held_tags")).toEqual([...new Set(heldTags)].toSorted());
    },
  };
  // oxlint-disable-next-line no-await-in-loop -- a transaction answers one question at a time
  for (const name of step.questions) await answers[name]();
}

const inOrder = (values: readonly string[]) =>
  [...Map.groupBy(values, (value) => value)]
    .map(([value, { length }]) => ({ value, count: length }))
    .toSorted(byValue);

const byValue = (one: { value: string }, other: { value: string }): number =>
  one.value < other.value ? -1 : 1;

const byText = (records: readonly Sighting[]): readonly string[] =>
  records.map((record) => JSON.stringify(record, Object.keys(record).toSorted())).toSorted();

const everyId = Array.from({ length: 12 }, (_, at) => String(at + 1));

/** Every id that there may be, and one alone; the nearest of several owners' records counts. */
async function askById(
  records: Records<Sighting>,
  expected: readonly Sighting[],
  { hidden = [] }: Resource<Sighting>,
  { alone, now }: { readonly alone: string; readonly now: Date },
): Promise<void> {
  const ids = everyId;
  const nearest = new Map(expected.toReversed().map((record) => [record.id, record]));
  expect(await records.getComplete(ids, now)).toEqual(nearest);
  const served = await records.get(ids, now);
  const textOf = (id: string) =>
    JSON.stringify(nearest.get(id), (name, value: unknown) =>
      hidden.includes(name) ? undefined : value,
    );
  for (const id of ids) expect(served.get(id)).toBe(textOf(id));
  // One id takes another path than several.
  expect((await records.get([alone], now)).get(alone)).toBe(textOf(alone));
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
