import { compareCodePoints, type Predicate } from "@security-platform/fql";
import type { Context } from "../../context.ts";
import type { Caller } from "../../call.ts";
import type { Facet, Facets, Records } from "../../store/types.ts";
import { removeExpiredGrants } from "./refresh-users.ts";
import { cidFields, cidsShown, seenPredicate, userTypes } from "./seen-predicate.ts";
import { users, type StoredUser } from "../../access/users.ts";
import { viewerOf, type Viewer } from "./viewer.ts";

/** Users as one tenant sees them: questions in terms of `userFields`, answers likewise. */
export interface SeenUsers extends Pick<
  Records<StoredUser>,
  "page" | "count" | "whole" | "facets"
> {
  readonly viewer: Viewer;
}

/** More distinct tenants than any tree has. */
const everyCid = 100_000;

/** The users that the caller's tenant knows, with what has expired gone. */
export async function seenUsers({
  caller,
  context,
  now,
}: {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
}): Promise<SeenUsers> {
  const { store } = context;
  await removeExpiredGrants(store, now);
  const viewer = await viewerOf(store.directory, caller.cid);
  const records = store.records(users, { cid: caller.cid });
  const stored = (predicate: Predicate) => seenPredicate(predicate, viewer);
  return {
    viewer,
    whole: (ids, at) => records.whole(ids, at),
    count: async (predicate, at) => records.count(await stored(predicate), at),
    page: async (query) =>
      records.page({
        ...query,
        predicate: await stored(query.predicate),
        sort: query.sort.map(({ field, direction }) => ({ field: sortField(field), direction })),
      }),
    facets: seenFacets(records, viewer),
  };
}

const sortField = (field: string): string =>
  field === "temporarily_assigned_cids" ? "first_temporary_cid" : field;

function seenFacets(records: Records<StoredUser>, viewer: Viewer): Facets {
  const { facets } = records;
  const stored = (predicate: Predicate) => seenPredicate(predicate, viewer);
  /** Of the fields that depend on the viewer, which have few values, all of them with their counts. */
  const relative = async (
    field: string,
    predicate: Predicate,
    now: Date,
  ): Promise<readonly Facet[] | undefined> => {
    const values = relativeValues[field];
    if (values !== undefined)
      return valueFacets(records, { field, values }, predicate, viewer, now);
    return cidFields.has(field) ? cidFacets(records, field, predicate, viewer, now) : undefined;
  };
  return {
    groups: async (field, predicate, options) => {
      const all = await relative(field, predicate, options.now);
      return all === undefined
        ? facets.groups(field, await stored(predicate), options)
        : facetPage(all, options);
    },
    cardinality: async (field, predicate, now) => {
      const all = await relative(field, predicate, now);
      return all?.length ?? facets.cardinality(field, await stored(predicate), now);
    },
    timestampGroups: async (field, predicate, options) =>
      facets.timestampGroups(field, await stored(predicate), options),
    statistics: async (field, predicate, now) =>
      facets.statistics(field, await stored(predicate), now),
    valuesAtRanks: async (field, predicate, options) =>
      facets.valuesAtRanks(field, await stored(predicate), options),
  };
}

/** The values of fields with few of them, which depend on the viewer. */
const relativeValues: Readonly<Record<string, readonly Facet["value"][]>> = {
  user_type: userTypes,
  has_temporary_roles: [false, true],
};

async function valueFacets(
  records: Records<StoredUser>,
  { field, values }: { readonly field: string; readonly values: readonly Facet["value"][] },
  predicate: Predicate,
  viewer: Viewer,
  now: Date,
): Promise<readonly Facet[]> {
  const found: Facet[] = [];
  for (const value of values) {
    const equal: Predicate = { kind: "equal", field, value, fold: false };
    const both: Predicate = { kind: "and", operands: [equal, predicate] };
    // oxlint-disable-next-line no-await-in-loop -- two counts
    const count = await records.count(await seenPredicate(both, viewer), now);
    if (count > 0) found.push({ value, count });
  }
  return found;
}

async function cidFacets(
  records: Records<StoredUser>,
  field: string,
  predicate: Predicate,
  viewer: Viewer,
  now: Date,
): Promise<readonly Facet[]> {
  const stored = await seenPredicate(predicate, viewer);
  const options = { now, limit: everyCid, order: "value", direction: "asc" } as const;
  const groups = async (name: string) =>
    (await records.facets.groups(name, stored, options)).facets;
  const shown = new Set<Facet["value"]>(await cidsShown(field, viewer));
  const found = (await groups(cidFields.get(field) ?? field)).filter(({ value }) =>
    shown.has(value),
  );
  if (field !== "associated_cids") return found;
  const homes = (await groups("cid")).filter(({ value }) => !shown.has(value));
  return [...found, ...homes];
}

function facetPage(
  all: readonly Facet[],
  {
    limit,
    offset = 0,
    order,
    direction,
    minimumCount = 1,
    maximumCount = Number.POSITIVE_INFINITY,
  }: Parameters<Facets["groups"]>[2],
): Awaited<ReturnType<Facets["groups"]>> {
  const sign = direction === "asc" ? 1 : -1;
  const byValue = (left: Facet, right: Facet) =>
    compareCodePoints(String(left.value), String(right.value));
  const facets = all
    .filter(({ count }) => count >= minimumCount && count <= maximumCount)
    .toSorted((left, right) =>
      order === "value"
        ? sign * byValue(left, right)
        : sign * (left.count - right.count) || byValue(left, right),
    );
  return {
    facets: facets.slice(offset, offset + limit),
    total: facets.length,
    records: facets.reduce((sum, { count }) => sum + count, 0),
  };
}
