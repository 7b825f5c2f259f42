/** `cardinality`, `max`, `min`, `avg`, `sum`: one bucket with a `value` over all records of the slice. */
import { where, type Scalar } from "@security-platform/fql";
import type { AggregateBucket, Answer, Bucket, Compile, Slice } from "./aggregation.ts";
import { readField, readMissing, type TargetField } from "./members.ts";
import { milliseconds, timeText } from "./times.ts";
import { compareValues } from "./values.ts";

/** Statistics of the values of the slice. `missing` counts once for each record without a value. */
interface Statistics {
  readonly count: number;
  readonly sum: number;
  readonly min: Scalar | null;
  readonly max: Scalar | null;
}

type Measure = (statistics: Statistics) => Scalar | null;

/** Null if there is no value. The sum of no values is 0. */
const measures = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  sum: ({ sum }) => sum,
  avg: ({ sum, count }) => (count === 0 ? null : sum / count),
} as const satisfies Record<string, Measure>;

const compileStatistic =
  (name: keyof typeof measures, ...types: readonly ("number" | "timestamp")[]): Compile =>
  (spec, place, setting) => {
    const target = readField(spec, place, setting, types);
    if (target === null) return null;
    const missing = readMissing(spec, place, target, setting);
    if (missing === null) return null;
    return async (slice) => {
      const statistics = await readStatistics(slice, target, missing, setting.now);
      return metric(measures[name](statistics), statistics.count);
    };
  };

export const compileMin = compileStatistic("min", "number", "timestamp");
export const compileMax = compileStatistic("max", "number", "timestamp");
export const compileSum = compileStatistic("sum", "number");
export const compileAvg = compileStatistic("avg", "number");

export const compileCardinality: Compile = (spec, place, setting) => {
  const types = ["string", "number", "boolean", "timestamp", "ip"] as const;
  const target = readField(spec, place, setting, types);
  if (target === null) return null;
  const missing = readMissing(spec, place, target, setting);
  if (missing === null) return null;
  const { name } = target;
  const { now } = setting;
  const present = where.present(name);
  return async ({ source, predicate }) => {
    const distinct = await source.facets.cardinality(name, predicate, now);
    if (missing === undefined) {
      return metric(distinct, await source.count(where.all(predicate, present), now));
    }
    const absentCount = await source.count(where.all(predicate, where.absent(name)), now);
    const equalCount = await source.count(where.all(predicate, where.equal(name, missing)), now);
    const added = absentCount > 0 && equalCount === 0 ? 1 : 0;
    return metric(distinct + added, await source.count(predicate, now));
  };
};

async function readStatistics(
  { source, predicate }: Slice,
  { name }: TargetField,
  missing: Scalar | undefined,
  now: Date,
): Promise<Statistics> {
  const { count, sum, min, max } = await source.facets.statistics(name, predicate, now);
  const statistics = { count, sum: sum ?? 0, min, max };
  if (missing === undefined) return statistics;
  const added = await source.count(where.all(predicate, where.absent(name)), now);
  if (added === 0) return statistics;
  return {
    count: count + added,
    sum: statistics.sum + added * Number(missing),
    min: min === null || compareValues(missing, min) < 0 ? missing : min,
    max: max === null || compareValues(missing, max) > 0 ? missing : max,
  };
}

function metric(value: Scalar | null, count: number): Answer {
  // Metrics have no sub-aggregates, so the predicate of their bucket is never used.
  const bucket: Bucket = { item: { count, ...measured(value) }, predicate: where.everything };
  return { buckets: [bucket], others: 0 };
}

/** A number, or a time in milliseconds since 1970, and its text. */
export function measured(value: Scalar | null): Pick<AggregateBucket, "value" | "value_as_string"> {
  if (value === null) return { value: null };
  return typeof value === "string"
    ? { value: milliseconds(value), value_as_string: timeText(value) }
    : { value: Number(value), value_as_string: String(value) };
}
