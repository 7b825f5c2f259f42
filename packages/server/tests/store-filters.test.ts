import {
  and,
  compareCodePoints,
  evaluate,
  fieldValues,
  foldCase,
  lowerFilter,
  or,
  printFilter,
  type Field,
  type Fields,
  type Filter,
  type FilterRecord,
  type Predicate,
  type Scalar,
  type SortKey,
} from "@security-platform/fql";
import {
  arbitraryFields,
  arbitraryFilter,
  arbitraryNow as now,
  arbitraryRecord,
  runs,
} from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { memoryRecords } from "./support/aggregates/memory-records.ts";
import { layoutOf } from "../src/store/rows/columns.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { PageQuery, Position, Records, Resource } from "../src/store/types/types.ts";
import { onPostgres, onSqlite, type Engine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { connectAsOwner } from "./support/raw-sql.ts";

const cid = "c".repeat(32);

type Numbered = FilterRecord & { readonly number: string };

interface World {
  readonly fields: Fields;
  readonly records: readonly Numbered[];
  readonly predicates: readonly { readonly text: string; readonly predicate: Predicate }[];
  readonly sorts: readonly (readonly SortKey[])[];
  readonly indexes: readonly string[];
  /** For each predicate one kind: all kinds would take most of the time of a case. */
  readonly questions: readonly QuestionKind[];
}

const questionKinds = [
  "pages",
  "offset",
  "groups",
  "cardinality",
  "ranks",
  "timestamps",
  "statistics",
] as const;
type QuestionKind = (typeof questionKinds)[number];

/** Filters of many conditions. */
function largeFilters(filters: readonly Filter[]): readonly Filter[] {
  const groups = (size: number) =>
    Array.from({ length: filters.length / size }, (_, at) =>
      filters.slice(at * size, (at + 1) * size),
    );
  return [
    or(groups(2).map(and)),
    or(groups(3).map(and)),
    and(groups(6).map(or)),
    and(groups(10).map(or)),
    or(filters.slice(0, 15)),
  ];
}

/** A table of fields, matching records, and filters and sorts on these fields. */
const worlds: fc.Arbitrary<World> = arbitraryFields().chain((fields) => {
  const single = Object.keys(fields).filter((name) => fields[name]?.array !== true);
  const key = fc.record({
    field: fc.constantFrom(...single),
    direction: fc.constantFrom("asc" as const, "desc" as const),
  });
  return fc.record({
    fields: fc.constant(fields),
    records: fc
      .array(arbitraryRecord(fields), { minLength: 5, maxLength: 40 })
      .map((records) => records.map((record, at) => ({ ...record, number: String(at) }))),
    predicates: fc.array(arbitraryFilter(fields), { minLength: 30, maxLength: 30 }).map((filters) =>
      [...filters, ...largeFilters(filters)].map((filter) => ({
        text: printFilter(filter),
        predicate: lowerFilter(filter, fields, now),
      })),
    ),
    sorts: fc.array(fc.uniqueArray(key, { maxLength: 3, selector: ({ field }) => field }), {
      minLength: 5,
      maxLength: 5,
    }),
    indexes: fc.subarray(single),
    questions: fc.array(fc.constantFrom(...questionKinds), { minLength: 35, maxLength: 35 }),
  });
});

/** The dialects differ most in filters, so `npm test` runs this on both engines. */
function agreesWithMemory(engine: Engine): void {
  test("every filter, sort, page and facet returns what a search in memory returns", async () => {
    const url = await engine.emptyUrl();
    const clock = new ManualClock();
    // Every case uses its connections; on new ones PostgreSQL would plan more slowly.
    const store = await openStoreAt({ url, clock, resources: [], durable: false });
    onTestFinished(() => store.close());
    await store.directory.createTenant({
      cid,
      name: "only",
      parent_cid: null,
      created_at: "2024",
    });
    const owner = await connectAsOwner(url);
    onTestFinished(() => owner.close());
    let run = 0;
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        run += 1;
        const resource: Resource<Numbered> = {
          name: `run_${run}`,
          collection: "property",
          fields: world.fields,
          id: "number",
          indexes: world.indexes,
        };
        const { table, valuesTable } = layoutOf(resource);
        const other = await openStoreAt({ url, clock, resources: [resource], durable: false });
        await other.close();
        try {
          await store.write(cid, (transaction) =>
            transaction.records(resource).insert(world.records, now),
          );
          await agrees(world, store.records(resource, { cid }));
        } finally {
          // A database with the tables of all cases would be slow.
          await owner.run(`drop table ${table}; drop table ${valuesTable}`);
        }
      }),
      { numRuns: runs(15) },
    );
  });
}

onSqlite(agreesWithMemory);
onPostgres(agreesWithMemory);

async function agrees(world: World, records: Records<Numbered>): Promise<void> {
  for (const at of world.predicates.keys()) {
    const kind = world.questions[at];
    if (kind === "pages" || kind === "offset") await pagesAgree(world, records, at);
    else await facetsAgree(world, records, at);
  }
}

async function pagesAgree(world: World, records: Records<Numbered>, at: number): Promise<void> {
  const { fields } = world;
  const { text, predicate } = world.predicates[at] as World["predicates"][number];
  const sort = world.sorts[at % world.sorts.length] ?? [];
  const matching = world.records.filter((record) => evaluate(predicate, record, fields));
  const expected = inOrder(matching, sort, fields).map(({ number }) => number);
  const question = { predicate, sort, now, shape: "ids" as const };
  const about = `${text} | ${JSON.stringify(sort)}`;
  if (world.questions[at] === "pages") {
    expect(await pages(records, { ...question, limit: 1 + (at % 7) }), about).toEqual(expected);
    return;
  }
  const offset = at % 11;
  expect(await records.page({ ...question, limit: 5, offset }), about).toMatchObject({
    items: expected.slice(offset, offset + 5),
    total: expected.length,
  });
}

/** All pages in order, by keyset. */
async function pages(
  records: Records<Numbered>,
  query: Omit<PageQuery, "after">,
): Promise<readonly string[]> {
  const items: string[] = [];
  let after: Position | undefined;
  do {
    const page = await records.page({ ...query, ...(after && { after }) });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}

function inOrder(
  records: readonly Numbered[],
  sort: readonly SortKey[],
  fields: Fields,
): readonly Numbered[] {
  const last = sort.at(-1)?.direction === "desc" ? -1 : 1;
  return records.toSorted((left, right) => {
    for (const { field, direction } of sort) {
      const [one] = valuesOf(left, field, fields);
      const [other] = valuesOf(right, field, fields);
      if (one === undefined || other === undefined) {
        if (one === other) continue;
        return one === undefined ? 1 : -1;
      }
      const difference = compare(one, other, ignoresCase(fields[field]));
      if (difference !== 0) return direction === "asc" ? difference : -difference;
    }
    return last * (Number(left.number) - Number(right.number));
  });
}

function valuesOf(record: FilterRecord, name: string, fields: Fields): readonly Scalar[] {
  const field = fields[name];
  return field === undefined ? [] : fieldValues(record, name, field);
}

const ignoresCase = (field: Field | undefined): boolean =>
  field?.case === "insensitive" && field.type === "string" && field.filterable !== false;

function compare(one: Scalar, other: Scalar, folds: boolean): number {
  if (typeof one !== "string") return Number(one) - Number(other);
  const folded = folds ? compareCodePoints(foldCase(one), foldCase(String(other))) : 0;
  return folded === 0 ? compareCodePoints(one, String(other)) : folded;
}

async function facetsAgree(
  { fields, records: all, predicates, questions }: World,
  { facets }: Records<Numbered>,
  at: number,
): Promise<void> {
  const { text, predicate } = predicates[at] as World["predicates"][number];
  const names = Object.keys(fields);
  const name = names[at % names.length] ?? "";
  const { type } = fields[name] ?? {};
  const memory = memoryRecords(all, fields).facets;
  const about = `${questions[at]} of ${name} | ${text}`;
  if (questions[at] === "cardinality") {
    expect(await facets.cardinality(name, predicate, now), about).toBe(
      await memory.cardinality(name, predicate, now),
    );
  } else if (questions[at] === "ranks") {
    const ranks = [0, 3, 1, 100];
    expect(await facets.valuesAtRanks(name, predicate, { now, ranks }), about).toEqual(
      await memory.valuesAtRanks(name, predicate, { now, ranks }),
    );
  } else if (questions[at] === "timestamps" && type === "timestamp") {
    const length = [4, 7, 10, 13, 30][at % 5] ?? 10;
    expect(await facets.timestampGroups(name, predicate, { now, length }), about).toEqual(
      await memory.timestampGroups(name, predicate, { now, length }),
    );
  } else if (questions[at] === "statistics" && (type === "number" || type === "timestamp")) {
    expect(await facets.statistics(name, predicate, now), about).toEqual(
      await memory.statistics(name, predicate, now),
    );
  } else {
    const options = {
      now,
      limit: 1 + (at % 5),
      offset: at % 3,
      order: at % 2 === 0 ? ("count" as const) : ("value" as const),
      direction: at % 4 < 2 ? ("asc" as const) : ("desc" as const),
      ...(at % 3 === 0 && { minimumCount: 2 }),
      ...(at % 5 === 0 && { maximumCount: 3 }),
    };
    expect(await facets.groups(name, predicate, options), about).toEqual(
      await memory.groups(name, predicate, options),
    );
  }
}
