/** The values of a field with their counts, page by page. */
import { where, type Scalar } from "@security-platform/fql";
import type { Facet } from "../store/index.ts";
import type { Bucket, Setting, Slice } from "./aggregation.ts";
import type { Choice } from "./choice.ts";
import { hasCount, type CountBounds, type TargetField } from "./members.ts";
import { AggregateError, type Place } from "./problems.ts";
import { compareValues, servedValue } from "./values.ts";

/** The order of the buckets. */
export interface Order {
  readonly by: "count" | "value";
  readonly direction: "asc" | "desc";
}

export interface Terms {
  readonly target: TargetField;
  readonly choice: Choice;
  readonly order: Order;
  readonly bounds: CountBounds;
}

export interface TermBucket extends Bucket {
  readonly value: Scalar;
}

/** A page of the ordered values, and the total count of all values. */
interface Page {
  readonly buckets: readonly TermBucket[];
  readonly sum: number;
}

export type ReadPage = (slice: Slice, offset: number, limit: number) => Promise<Page>;

/** The store finds, orders and limits the values. */
export function readStored({ target, choice, order, bounds }: Terms, now: Date): ReadPage {
  const { minimum, maximum } = bounds;
  const bounded = minimum > 1 || maximum < Number.MAX_SAFE_INTEGER;
  const sorted = { now, order: order.by, direction: order.direction };
  return async ({ source, predicate }, offset, limit) => {
    const selection = where.all(predicate, choice.predicate);
    const page = await source.facets.groups(target.name, selection, {
      ...sorted,
      offset,
      limit: Math.max(limit, 1),
      ...(minimum > 1 && { minimumCount: minimum }),
      ...(maximum < Number.MAX_SAFE_INTEGER && { maximumCount: maximum }),
    });
    const { records } = bounded
      ? await source.facets.groups(target.name, selection, { ...sorted, limit: 1 })
      : page;
    const buckets = page.facets.slice(0, limit).map((facet) => bucketOf(facet, target));
    return { buckets, sum: records };
  };
}

/** Predicates select records, not elements of lists, so elements are selected here. */
export function readChosen(
  { target, choice, order, bounds }: Terms,
  place: Place,
  { limits, now }: Setting,
): ReadPage {
  return async ({ source, predicate }, offset, limit) => {
    const { facets, total } = await source.facets.groups(
      target.name,
      where.all(predicate, choice.predicate),
      { now, limit: limits.values, order: "value", direction: "asc" },
    );
    if (total > limits.values) throw tooManyValues(place, target, limits.values);
    const accepted = facets.filter(({ value }) => choice.accepts(value));
    const buckets = accepted
      .filter(({ count }) => hasCount(bounds)(count))
      .map((facet) => bucketOf(facet, target));
    return {
      buckets: orderBuckets(buckets, order).slice(offset, offset + limit),
      sum: accepted.reduce((sum, { count }) => sum + count, 0),
    };
  };
}

const tooManyValues = (place: Place, { name }: TargetField, most: number): AggregateError =>
  new AggregateError([
    {
      at: place.path,
      message: `include and exclude support at most ${most} values of a list field, and '${name}' has more; narrow the filter`,
    },
  ]);

/** The bucket of one value. */
export function bucketOf({ value, count }: Facet, { name, field }: TargetField): TermBucket {
  const label = servedValue(value, field);
  return {
    item: { label, count, ...(typeof label !== "string" && { key_as_string: String(label) }) },
    predicate: where.equal(name, value),
    value,
  };
}

/** Equal counts are ordered by value, ascending, in either direction. */
export function orderBuckets(buckets: readonly TermBucket[], order: Order): readonly TermBucket[] {
  const sign = order.direction === "asc" ? 1 : -1;
  return buckets.toSorted((one, other) => {
    const values = compareValues(one.value, other.value);
    return order.by === "value"
      ? sign * values
      : sign * (one.item.count - other.item.count) || values;
  });
}
