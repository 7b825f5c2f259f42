/**
 * `percentiles`: one bucket for each percent. A percentile is interpolated between two values in the
 * ascending order of all values: 0 is the minimum, 50 the median and 100 the maximum.
 */
import { where, type Scalar } from "@security-platform/fql";
import type { AggregateSpec, Bucket, Compile, Slice } from "./aggregation.ts";
import { readField, readMissing, type TargetField } from "./members.ts";
import { measured } from "./metrics.ts";
import { within } from "./within.ts";
import type { Place } from "./problems.ts";
import { canonicalInstant, milliseconds } from "./times.ts";

const defaultPercents = [1, 5, 25, 50, 75, 95, 99];

export const compilePercentiles: Compile = (spec, place, setting) => {
  const target = readField(spec, place, setting, ["number", "timestamp"]);
  const percents = readPercents(spec, place, setting.limits.buckets);
  if (target === null || percents === null) return null;
  const missing = readMissing(spec, place, target, setting);
  if (missing === null || typeof missing === "boolean") return null;
  if (missing !== undefined && target.field.array === true) {
    return place
      .inside("missing")
      .report(`not supported for percentiles of a list field, and '${target.name}' is a list`);
  }
  return async (slice) => {
    const ordered = await readOrdered(slice, target, missing, setting.now);
    const positions = percents.map((percent) => (percent / 100) * (ordered.count - 1));
    const ranks = positions.flatMap((at) => [Math.floor(at), Math.ceil(at)]);
    const values = ordered.count === 0 ? new Map() : await ordered.at(ranks);
    const buckets = percents.map((percent, index): Bucket => {
      const value = between(positions[index] ?? 0, values);
      return {
        item: {
          label: percent,
          key_as_string: String(percent),
          count: ordered.count,
          ...measured(target.field.type === "timestamp" ? time(value) : value),
        },
        predicate: where.everything,
      };
    });
    return { buckets, others: 0 };
  };
};

/** All values of the slice in ascending order, times in milliseconds. */
interface Ordered {
  readonly count: number;
  readonly at: (ranks: readonly number[]) => Promise<ReadonlyMap<number, number>>;
}

async function readOrdered(
  slice: Slice,
  { name }: TargetField,
  missing: Exclude<Scalar, boolean> | undefined,
  now: Date,
): Promise<Ordered> {
  const { source, predicate } = slice;
  const { count } = await source.facets.statistics(name, predicate, now);
  const read = async (ranks: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    const distinctRanks = [...new Set(ranks)].toSorted((one, other) => one - other);
    if (distinctRanks.length === 0) return new Map();
    const values = await source.facets.valuesAtRanks(name, predicate, {
      now,
      ranks: distinctRanks,
    });
    return new Map(distinctRanks.map((rank, index) => [rank, numeric(values[index] ?? 0)]));
  };
  if (missing === undefined) return { count, at: read };
  const added = await source.count(where.all(predicate, where.absent(name)), now);
  const below = await source.count(where.all(predicate, within(name, null, missing)), now);
  // The added values are adjacent and start at rank `below`.
  const isAdded = (rank: number): boolean => rank >= below && rank < below + added;
  const stored = (rank: number): number => (rank < below ? rank : rank - added);
  return {
    count: count + added,
    at: async (ranks) => {
      const values = await read(ranks.filter((rank) => !isAdded(rank)).map(stored));
      const valueAt = (rank: number): number =>
        isAdded(rank) ? numeric(missing) : (values.get(stored(rank)) ?? 0);
      return new Map(ranks.map((rank) => [rank, valueAt(rank)]));
    },
  };
}

const numeric = (value: Scalar): number =>
  typeof value === "string" ? milliseconds(value) : Number(value);

function between(position: number, values: ReadonlyMap<number, number>): number | null {
  const low = values.get(Math.floor(position));
  const high = values.get(Math.ceil(position));
  if (low === undefined || high === undefined) return null;
  return low + (high - low) * (position - Math.floor(position));
}

const time = (value: number | null): string | null =>
  value === null ? null : canonicalInstant(Math.round(value));

function readPercents(spec: AggregateSpec, place: Place, most: number): readonly number[] | null {
  const percents = spec.percents?.length ? spec.percents : defaultPercents;
  const at = place.inside("percents");
  if (percents.length > most) return at.report(`at most ${most}, got ${percents.length}`);
  const wrong = percents.findIndex((percent) => !(percent >= 0 && percent <= 100));
  if (wrong < 0) return percents;
  return at.item(wrong).report(`expected a number from 0 to 100, got ${percents[wrong]}`);
}
