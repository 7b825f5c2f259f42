/**
 * Aggregates, the same for every collection and both engines: everything but a few queries of the
 * store happens here. What a bucket holds beside its `count`, by type:
 *
 * | type           | label                       | and                                             |
 * |----------------|-----------------------------|-------------------------------------------------|
 * | terms          | the value                   | key_as_string, where the label is not a text    |
 * | date_histogram | its start, milliseconds     | key_as_string: its start on the zone's clock    |
 * | date_range     | `from-to`, `*` where open   | from, to (milliseconds), string_from, string_to |
 * | range          | `from-to`, `*` where open   | from, to                                        |
 * | filters        | the filter's name           |                                                 |
 * | percentiles    | the percent                 | key_as_string, value, value_as_string           |
 * | any other      |                             | value, value_as_string                          |
 *
 * `count` is the number of records, in percentiles and single numbers of values. `value` is null
 * where there is nothing to compute it from. `from`, `size`, `sort`, `include` and `exclude` are
 * for terms. A companion that its type has no use for is ignored, filters_spec excepted.
 * Counts are exact: `doc_count_error_upper_bound` is 0, and `sum_other_doc_count` what the values
 * beyond the buckets of a terms aggregate count together.
 */
import { where, type Fields, type Predicate } from "@security-platform/fql";
import type {
  AggregateBucket,
  AggregateResult,
  AggregateSpec,
  Aggregation,
  Bucket,
  Slice,
} from "./aggregation.ts";
import { compile } from "./compile.ts";
import { Budget, defaultAggregateLimits, type AggregateLimits } from "./limits.ts";
import { noRecords } from "./no-records.ts";
import { Place } from "./problems.ts";
import type { AggregateSource } from "./source.ts";

interface AggregateOptions {
  /** The source of the records: a `Records`. */
  readonly records: AggregateSource;
  readonly fields: Fields;
  /** Restricts the records that take part. */
  readonly base: Predicate;
  readonly now: Date;
  readonly limits?: Partial<AggregateLimits>;
}

/**
 * One result for each specification, in their order. Throws an `AggregateError` with all problems, at
 * `body.…` for a single specification and at `body[0].…` for a list. Also throws if the request exceeds a
 * limit.
 */
export async function aggregate(
  specs: AggregateSpec | readonly AggregateSpec[],
  { records, fields, base, now, limits }: AggregateOptions,
): Promise<readonly AggregateResult[]> {
  const body = new Place("body");
  const setting = { fields, now, limits: { ...defaultAggregateLimits, ...limits } };
  const compiled = isList(specs)
    ? specs.map((spec, index) => compile(spec, body.item(index), setting))
    : [compile(specs, body, setting)];
  body.throwIfReported();
  const budget = new Budget(setting.limits);
  if (records !== noRecords) budget.expectQueries(compiled.length, body.path);
  const results: AggregateResult[] = [];
  for (const aggregation of compiled) {
    if (aggregation === null) continue;
    results.push(await run(aggregation, { source: records, predicate: base }, budget));
  }
  return results;
}

const isList = (
  specs: AggregateSpec | readonly AggregateSpec[],
): specs is readonly AggregateSpec[] => Array.isArray(specs);

async function run(
  { name, path, predicate, collect, parts }: Aggregation,
  slice: Slice,
  budget: Budget,
): Promise<AggregateResult> {
  const narrowed = where.all(slice.predicate, predicate);
  const source = budget.metered(slice.source, path);
  const { buckets, others } = await collect({ source, predicate: narrowed });
  budget.addBuckets(buckets.length, path);
  const [first] = parts;
  if (first !== undefined) {
    const filled = buckets.filter(({ item }) => item.count > 0);
    budget.expectQueries(filled.length * parts.length, first.path);
  }
  const items: AggregateBucket[] = [];
  for (const bucket of buckets) {
    const results = await runParts(parts, bucket, { ...slice, predicate: narrowed }, budget);
    items.push(parts.length === 0 ? bucket.item : { ...bucket.item, sub_aggregates: results });
  }
  return { name, buckets: items, doc_count_error_upper_bound: 0, sum_other_doc_count: others };
}

async function runParts(
  parts: readonly Aggregation[],
  { item, predicate }: Bucket,
  slice: Slice,
  budget: Budget,
): Promise<AggregateResult[]> {
  const inside: Slice = {
    source: item.count === 0 ? noRecords : slice.source,
    predicate: where.all(slice.predicate, predicate),
  };
  const results: AggregateResult[] = [];
  for (const part of parts) results.push(await run(part, inside, budget));
  return results;
}
