/** `terms`: one bucket for each value of a field, the most frequent first unless `sort` says otherwise. */
import { where, type Scalar } from "@security-platform/fql";
import type { AggregateSpec, Bucket, Collect, Compile } from "./aggregation.ts";
import { readChoice } from "./choice.ts";
import { hasCount, readCount, readCountBounds, readField, readMissing } from "./members.ts";
import type { Place } from "./problems.ts";
import {
  bucketOf,
  orderBuckets,
  readChosen,
  readStored,
  type Order,
  type ReadPage,
  type Terms,
} from "./term-pages.ts";

const defaultSize = 10;

export const compileTerms: Compile = (spec, place, setting) => {
  const order = readOrder(spec, place);
  const bounds = readCountBounds(spec, place, 1);
  const from = readCount(spec.from, place.inside("from"), 0);
  const size = readCount(spec.size, place.inside("size"), defaultSize);
  const most = setting.limits.buckets;
  if (from !== null && size !== null && from + size > most) {
    place.inside("size").report(`from and size together reach at most ${most}, got ${from + size}`);
  }
  const types = ["string", "number", "boolean", "timestamp", "ip"] as const;
  const target = readField(spec, place, setting, types);
  if (target === null) return null;
  const choice = readChoice(spec, place, target, setting);
  const missing = readMissing(spec, place, target, setting);
  if (order === null || bounds === null || from === null || size === null) return null;
  if (choice === null || missing === null) return null;
  const terms: Terms = { target, choice, order, bounds };
  const inMemory = target.field.array === true && !choice.open;
  const read = inMemory ? readChosen(terms, place, setting) : readStored(terms, setting.now);
  const range = { from, size };
  return missing === undefined || !choice.accepts(missing)
    ? collectPage(read, range)
    : collectWithMissing(terms, missing, read, range, setting.now);
};

interface PageRange {
  readonly from: number;
  readonly size: number;
}

const collectPage =
  (read: ReadPage, { from, size }: PageRange): Collect =>
  async (slice) => {
    const { buckets, sum } = await read(slice, from, size);
    return { buckets, others: others(sum, buckets) };
  };

/** Records without a value are added to the bucket of `missing`, which is then sorted again. */
function collectWithMissing(
  { target, bounds, order }: Terms,
  missing: Scalar,
  read: ReadPage,
  { from, size }: PageRange,
  now: Date,
): Collect {
  const without = where.absent(target.name);
  const joined = where.any(where.equal(target.name, missing), without);
  return async (slice) => {
    const page = await read(slice, 0, from + size + 1);
    const added = await slice.source.count(where.all(slice.predicate, without), now);
    const count = await slice.source.count(where.all(slice.predicate, joined), now);
    const bucket = { ...bucketOf({ value: missing, count }, target), predicate: joined };
    const rest = page.buckets.filter(({ value }) => value !== missing);
    const all = count > 0 && hasCount(bounds)(count) ? [...rest, bucket] : rest;
    const buckets = orderBuckets(all, order).slice(from, from + size);
    return { buckets, others: others(page.sum + added, buckets) };
  };
}

const others = (sum: number, buckets: readonly Bucket[]): number =>
  Math.max(
    0,
    buckets.reduce((rest, { item }) => rest - item.count, sum),
  );

/** The default direction of `_count` is the largest count first, that of `_term` the smallest value first. */
function readOrder({ sort = "_count" }: AggregateSpec, place: Place): Order | null {
  const [, key, written] = /^_(count|term)(?:[|.](asc|desc))?$/.exec(sort) ?? [];
  if (key === undefined) {
    return place
      .inside("sort")
      .report(`expected _count or _term, optionally with |asc or |desc, got '${sort}'`);
  }
  const by = key === "count" ? "count" : "value";
  const usual = by === "count" ? "desc" : "asc";
  return { by, direction: written === "asc" || written === "desc" ? written : usual };
}
