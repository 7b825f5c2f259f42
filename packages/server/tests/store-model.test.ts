import { lowerFilter, parseFilter, parseSort } from "@security-platform/fql";
import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { layoutOf } from "../src/store/rows/columns.ts";
import { DuplicateRecordError } from "../src/store/types/errors.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import {
  platformCid,
  type PageQuery,
  type Position,
  type Records,
  type Resource,
  type Store,
} from "../src/store/types/types.ts";
import { skipWithout } from "../../../testing/platform.ts";
import { allOf } from "./support/all-of.ts";
import { forEachEngine, onPostgres, type Engine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { connectAsOwner } from "./support/raw-sql.ts";
import { modelFields, type ModelOwner, type Question } from "./support/sighting-model.ts";
import { newSides, sideResources, type ModelScope, type Side } from "./support/sighting-sides.ts";
import {
  child,
  identifiers,
  parent,
  start,
  steps,
  type QuestionName,
  type Step,
} from "./support/sighting-steps.ts";
import type { Sighting } from "./support/sightings.ts";
import {
  statementsOf,
  strayStatements,
  withTenantPartitions,
} from "./support/tenant-partitions.ts";

forEachEngine((engine) => {
  test("after any writes, at any time, results are those of a plain list", () =>
    agreesWithModel(engine));
});

onPostgres((engine) => {
  skipWithout("one node");
  const apart = withTenantPartitions(engine);
  test(
    "where each tenant has its own node, results are the same, and each statement names its tenants",
    { tags: ["exhaustive", "nightly"] },
    async () => {
      let url = "";
      const statements = await statementsOf(() =>
        agreesWithModel({
          ...apart,
          emptyUrl: async () => (url = await apart.emptyUrl()),
        }),
      );
      expect(statements.size).toBeGreaterThan(100);
      expect(await strayStatements(url, statements)).toEqual([]);
    },
  );
});

async function agreesWithModel(engine: Pick<Engine, "name" | "emptyUrl">): Promise<void> {
  const url = await engine.emptyUrl();
  const resources = sideResources;
  const clock = new StoryClock();
  const store = await openStoreAt({ url, clock, resources, durable: false });
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
      { numRuns: runs(16), endOnFailure: true },
    );
  } finally {
    await owner.close();
    await store.close();
  }
}

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
    if (step.sweeps) await store.sweep(clock.now());
    return;
  }
  const side = sides[step.side] as Side;
  if (step.kind === "ask") return askIn(step, store, side, now);
  const { resource, model } = side;
  const cid = side.writer(step.cid);
  if (step.kind === "put") return put(cid, step.records.map(side.written), store, side, now);
  await store.write(cid, (transaction) => transaction.records(resource).remove(step.ids, now));
  for (const id of step.ids) model.remove(cid, id, now);
}

/** Uses `insert` or `replace` if allowed, so that both are tested. */
async function put(
  cid: string,
  written: readonly Sighting[],
  store: Store,
  side: Side,
  now: Date,
): Promise<void> {
  const { resource, model } = side;
  const ids = written.map(({ id }) => id);
  const isKept = ids.some((id) => model.find(cid, id, now) !== undefined);
  // Without a scope, a transaction sees everything.
  const owners = ownersOf(side, { cid, records: "own", tags: [] }).map(
    ({ ancestor, replacedBy, cid: owner }): ModelOwner =>
      replacedBy === undefined ? { cid: owner, ancestor } : { cid: owner, ancestor, replacedBy },
  );
  const stored = model.stored(owners, now);
  const live = ids.filter((id) => stored.has(id));
  const done = store.write(cid, async (transaction) => {
    const records = transaction.records(resource);
    const taken = await records.getForUpdate(ids);
    expect(taken).toEqual(new Map(live.map((id) => [id, stored.get(id)])));
    if (live.length === ids.length) await records.replace(written, now);
    else if (live.length === 0 && !isKept) await records.insert(written, now);
    else await records.put(written, now);
  });
  if (model.isNameTaken(written, owners, now)) {
    // `expect(…).rejects` would keep the store in memory until the test ends.
    expect(await done.catch((error: unknown) => error)).toBeInstanceOf(DuplicateRecordError);
    return;
  }
  await done;
  for (const record of written) model.put(cid, record, now);
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
    expect(await records.getForUpdate(identifiers)).toEqual(model.stored(owners, now));
  });
}

/** A question to the store, with what the model needs to answer it. */
interface QuestionContext {
  readonly step: Ask;
  readonly records: Records<Sighting>;
  readonly side: Side;
  readonly question: Question;
  readonly owners: readonly ModelOwner[];
  readonly query: PageQuery;
}

async function ask(step: Ask, records: Records<Sighting>, side: Side, now: Date): Promise<void> {
  const held = side.held && step.scope.cid !== platformCid;
  const filter = held ? step.heldFilter : step.filter;
  const sort = held ? step.heldSort : step.sort;
  const query: PageQuery = {
    predicate: lowerFilter(parseFilter(filter), modelFields, now),
    sort: parseSort(sort, modelFields),
    limit: step.limit,
    shape: "records",
    now,
  };
  const question: Question = { filter, sort, now };
  const context = { step, records, side, question, owners: ownersOf(side, step.scope), query };
  for (const name of held ? step.heldQuestions : step.questions) await answers[name](context);
}

/** Compares the answer of the store with that of the model. */
const answers: Readonly<Record<QuestionName, (context: QuestionContext) => Promise<void>>> = {
  pages: async ({ step, records, side, question, owners, query }) => {
    const expected = side.model.answer(question, owners);
    expect(await everyPage(records, query), about(step)).toEqual(expected);
  },
  offset: async ({ step, records, side, question, owners, query }) => {
    const expected = side.model.answer(question, owners);
    expect(await records.page({ ...query, offset: 2 }), about(step)).toMatchObject({
      items: expected.slice(2, 2 + step.limit),
      total: expected.length,
    });
  },
  count: async ({ step, records, side, question, owners, query: { predicate, now } }) => {
    const expected = side.model.records(question, owners).length;
    expect(await records.count(predicate, now), about(step)).toBe(expected);
  },
  ids: async ({ step, records, side, owners, query: { now } }) => {
    const stored = side.model.records({ filter: "", sort: "", now }, owners);
    await askById(records, stored, side.resource, { alone: step.id, now });
  },
  scan: async ({ step, records, side, question, owners, query: { predicate, now } }) => {
    const scanned = await allOf(records.scanComplete(predicate, now, step.limit));
    const expected = side.model.records(question, owners);
    expect(byText(scanned), about(step)).toEqual(byText(expected));
  },
  states: (context) =>
    facetAgrees(context, "state", (record) => (record.state == null ? [] : [record.state])),
  tags: (context) => facetAgrees(context, "tags", ({ tags }) => tags ?? []),
  distinct: (context) => distinctAgree(context, "tags", ({ tags }) => tags ?? []),
  held: async (context) => {
    const { records, query } = context;
    const facets = await facetsOf(context, "held");
    const values = read(context).map((record) => record.held === true);
    expect(
      facets.map(({ count }) => count),
      about(context.step),
    ).toEqual(
      [false, true]
        .map((value) => values.filter((each) => each === value).length)
        .filter((count) => count > 0),
    );
    expect(await records.facets.cardinality("held", query.predicate, query.now)).toBe(
      new Set(values).size,
    );
  },
  heldTags: async (context) => {
    await facetAgrees(context, "held_tags", ({ held_tags }) => held_tags ?? []);
    await distinctAgree(context, "held_tags", ({ held_tags }) => held_tags ?? []);
  },
};

const about = (step: Ask): string => JSON.stringify(step);

/** The records of a question, as filters see them. */
const read = ({ side, question, owners }: QuestionContext): readonly Sighting[] =>
  side.model.asRead(question, owners);

async function facetsOf({ records, query: { predicate, now } }: QuestionContext, field: string) {
  const options = { now, limit: 10, order: "value" as const, direction: "asc" as const };
  return (await records.facets.groups(field, predicate, options)).facets;
}

async function facetAgrees(
  context: QuestionContext,
  field: string,
  valuesOf: (record: Sighting) => readonly string[],
): Promise<void> {
  const groups = Map.groupBy(read(context).flatMap(valuesOf), (value) => value);
  const expected = [...groups].map(([value, { length }]) => ({ value, count: length }));
  expect(await facetsOf(context, field), about(context.step)).toEqual(expected.toSorted(byValue));
}

async function distinctAgree(
  context: QuestionContext,
  field: string,
  valuesOf: (record: Sighting) => readonly string[],
): Promise<void> {
  const { predicate, now } = context.query;
  const expected = [...new Set(read(context).flatMap(valuesOf))].toSorted();
  const distinct = await context.records.distinct(field, predicate, { now, limit: 9 });
  expect(distinct, about(context.step)).toEqual(expected);
}

const byValue = (one: { value: string }, other: { value: string }): number =>
  one.value < other.value ? -1 : 1;

const byText = (records: readonly Sighting[]): readonly string[] =>
  records.map((record) => JSON.stringify(record, Object.keys(record).toSorted())).toSorted();

/** Every id that there may be, and one alone; the nearest of several owners' records counts. */
async function askById(
  records: Records<Sighting>,
  expected: readonly Sighting[],
  { hidden = [] }: Resource<Sighting>,
  { alone, now }: { readonly alone: string; readonly now: Date },
): Promise<void> {
  const nearest = new Map(expected.toReversed().map((record) => [record.id, record]));
  expect(await records.getComplete(identifiers, now)).toEqual(nearest);
  const served = await records.get(identifiers, now);
  const textOf = (id: string) =>
    JSON.stringify(nearest.get(id), (name, value: unknown) =>
      hidden.includes(name) ? undefined : value,
    );
  for (const id of identifiers) expect(served.get(id)).toBe(textOf(id));
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
