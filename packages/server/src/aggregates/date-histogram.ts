import { where } from "@security-platform/fql";
/** `date_histogram`: one bucket for each calendar interval, those without records included. */
import type { AggregateSpec, Bucket, Compile } from "./aggregation.ts";
import { intervals, spanAt, type Interval, type Span } from "./calendar.ts";
import {
  hasCount,
  readCountBounds,
  readField,
  readMissing,
  readTimeZone,
  type CountBounds,
} from "./members.ts";
import { AggregateError, type Place } from "./problems.ts";
import { countSpans, spanPredicate, type SpanCount } from "./span-counts.ts";
import { canonicalInstant, milliseconds, readTime, timeText } from "./times.ts";
import { utc, type TimeZone } from "./time-zone.ts";
import { valueNoun } from "./values.ts";

/** The minimum range of the histogram. */
interface Reach {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export const compileDateHistogram: Compile = (spec, place, setting) => {
  const target = readField(spec, place, setting, ["timestamp"]);
  const interval = readInterval(spec, place);
  const zone = readTimeZone(spec, place);
  const bounds = readCountBounds(spec, place, 0);
  const reach = readReach(spec, place, zone ?? utc, setting.now);
  if (target === null || interval === null || zone === null) return null;
  const missing = readMissing(spec, place, target, setting, zone);
  if (bounds === null || reach === null || missing === null) return null;

  const { name } = target;
  const { now } = setting;
  const most = setting.limits.buckets;
  const without = where.absent(name);
  const missingAt =
    missing === undefined ? undefined : spanAt(milliseconds(String(missing)), interval, zone);
  return async (slice) => {
    const countedSpans = [...(await countSpans(slice, target, interval, zone, now))];
    if (missingAt !== undefined) {
      const count = await slice.source.count(where.all(slice.predicate, without), now);
      if (count > 0) countedSpans.push({ span: missingAt, count });
    }
    const filled = fill(countedSpans, { interval, zone, bounds, reach }, most, place);
    const spans = filled.filter(({ count }) => hasCount(bounds)(count));
    if (spans.length > most) throw tooManySpans(place, interval, most);
    const buckets = spans
      .map((counted) => bucketOf(counted, name, zone))
      .map((bucket) =>
        bucket.item.label === missingAt?.start
          ? { ...bucket, predicate: where.any(bucket.predicate, without) }
          : bucket,
      );
    return { buckets, others: 0 };
  };
};

interface Filling {
  readonly interval: Interval;
  readonly zone: TimeZone;
  readonly bounds: CountBounds;
  readonly reach: Reach;
}

/**
 * One entry for each span, in order of time. If requested, adds the empty spans between them and up to the
 * range.
 */
function fill(
  counted: readonly SpanCount[],
  { interval, zone, bounds, reach }: Filling,
  most: number,
  place: Place,
): readonly SpanCount[] {
  const counts = new Map<number, SpanCount>();
  for (const { span, count } of counted) {
    counts.set(span.start, { span, count: count + (counts.get(span.start)?.count ?? 0) });
  }
  const filled = [...counts.values()].toSorted((one, other) => one.span.start - other.span.start);
  if (bounds.minimum > 0) return filled;
  const { min = Infinity, max = -Infinity } = reach;
  const first = Math.min(filled[0]?.span.start ?? Infinity, min);
  const last = Math.max(filled.at(-1)?.span.start ?? -Infinity, max);
  if (first > last) return filled;
  const all: SpanCount[] = [];
  for (let span: Span = spanAt(first, interval, zone); span.start <= last;) {
    all.push(counts.get(span.start) ?? { span, count: 0 });
    if (all.length > most) throw tooManySpans(place, interval, most);
    span = spanAt(span.end, interval, zone);
  }
  return all;
}

const tooManySpans = (place: Place, interval: Interval, most: number): AggregateError =>
  new AggregateError([
    {
      at: place.path,
      message: `an interval of one ${interval} gives more than ${most} buckets; use a longer interval, narrow the filter, or drop empty buckets with min_doc_count 1`,
    },
  ]);

function bucketOf({ span, count }: SpanCount, field: string, zone: TimeZone): Bucket {
  const label = span.start;
  const start = canonicalInstant(label);
  const text = start === null ? new Date(label).toISOString() : timeText(start, zone);
  return {
    item: { label, key_as_string: text, count },
    predicate: spanPredicate(field, span),
  };
}

function readInterval(spec: AggregateSpec, place: Place): Interval | null {
  const at = place.inside("interval");
  const names = intervals.join(", ");
  if (!spec.interval) return at.report(`date_histogram requires an interval: one of ${names}`);
  const interval = intervals.find((known) => known === spec.interval);
  return interval ?? at.report(`expected one of ${names}, got '${spec.interval}'`);
}

function readReach(spec: AggregateSpec, place: Place, zone: TimeZone, now: Date): Reach | null {
  const at = place.inside("extended_bounds");
  const min = readBound(spec.extended_bounds?.min, at.inside("min"), zone, now);
  const max = readBound(spec.extended_bounds?.max, at.inside("max"), zone, now);
  if (min === null || max === null) return null;
  if (min !== undefined && max !== undefined && min > max) return at.report("min is after max");
  return { min, max };
}

function readBound(
  text: string | undefined,
  at: Place,
  zone: TimeZone,
  now: Date,
): number | undefined | null {
  if (!text) return undefined;
  const canonical = readTime(text, zone, now);
  if (canonical !== null) return milliseconds(canonical);
  return at.report(`expected ${valueNoun.timestamp}, got '${text}'`);
}
