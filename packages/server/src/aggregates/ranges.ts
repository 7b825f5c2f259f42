/**
 * `range` and `date_range`: one bucket for each range of the request, in the same order. A range includes its
 * `from` but not its `to`.
 */
import { where, type Predicate } from "@security-platform/fql";
import type { AggregateBucket, AggregateSpec, Collect, Compile, Setting } from "./aggregation.ts";
import {
  hasCount,
  readCountBounds,
  readField,
  readMissing,
  readTimeZone,
  type TargetField,
} from "./members.ts";
import { within } from "./within.ts";
import type { Place } from "./problems.ts";
import { milliseconds, readTime, timeText } from "./times.ts";
import { utc, type TimeZone } from "./time-zone.ts";
import { compareValues, valueNoun } from "./values.ts";

/** Null: open at that end. Timestamps are in canonical form. */
interface Range {
  readonly from: number | string | null;
  readonly to: number | string | null;
}

type Describe = (range: Range) => Omit<AggregateBucket, "count">;

export const compileRange: Compile = (spec, place, setting) => {
  const target = readField(spec, place, setting, ["number"]);
  const ranges = readRanges(spec, place);
  if (target === null || ranges === null) return null;
  if (target.field.array === true) {
    return place
      .inside("field")
      .report(`range does not support list fields, and '${target.name}' is a list`);
  }
  return compileBuckets(spec, place, setting, target, ranges, describeNumbers);
};

export const compileDateRange: Compile = (spec, place, setting) => {
  const target = readField(spec, place, setting, ["timestamp"]);
  const zone = readTimeZone(spec, place);
  const ranges = readDateRanges(spec, place, zone ?? utc, setting.now);
  if (target === null || ranges === null || zone === null) return null;
  return compileBuckets(spec, place, setting, target, ranges, describeTimes(zone), zone);
};

function compileBuckets(
  spec: AggregateSpec,
  place: Place,
  setting: Setting,
  target: TargetField,
  ranges: readonly Range[],
  describe: Describe,
  zone: TimeZone = utc,
): Collect | null {
  const bounds = readCountBounds(spec, place, 0);
  const missing = readMissing(spec, place, target, setting, zone);
  if (bounds === null || missing === null) return null;
  const planned = ranges.map((range) => ({
    described: describe(range),
    own: rangePredicate(target.name, range, missing),
  }));
  return async ({ source, predicate }) => {
    const buckets = [];
    for (const { described, own } of planned) {
      const count = await source.count(where.all(predicate, own), setting.now);
      buckets.push({ item: { ...described, count }, predicate: own });
    }
    const selected = buckets.filter(({ item }) => hasCount(bounds)(item.count));
    return { buckets: selected, others: 0 };
  };
}

function rangePredicate(
  field: string,
  range: Range,
  missing: number | string | boolean | undefined,
): Predicate {
  const { from, to } = range;
  const own = within(field, from, to);
  const joins =
    missing !== undefined &&
    (from === null || compareValues(missing, from) >= 0) &&
    (to === null || compareValues(missing, to) < 0);
  return joins ? where.any(own, where.absent(field)) : own;
}

const describeNumbers: Describe = ({ from, to }) => ({
  label: `${from ?? "*"}-${to ?? "*"}`,
  ...(from !== null && { from: Number(from) }),
  ...(to !== null && { to: Number(to) }),
});

const describeTimes =
  (zone: TimeZone): Describe =>
  ({ from, to }) => {
    const start = from === null ? null : timeText(String(from), zone);
    const end = to === null ? null : timeText(String(to), zone);
    return {
      label: `${start ?? "*"}-${end ?? "*"}`,
      ...(start !== null && { from: milliseconds(String(from)), string_from: start }),
      ...(end !== null && { to: milliseconds(String(to)), string_to: end }),
    };
  };

function readRanges(spec: AggregateSpec, place: Place): readonly Range[] | null {
  const at = place.inside("ranges");
  if (!spec.ranges?.length) return at.report("range requires ranges: a list of {from, to}");
  const ranges = spec.ranges.map(({ from = null, to = null }, index) =>
    checkRange({ from, to }, at.item(index)),
  );
  return allRead(ranges);
}

function readDateRanges(
  spec: AggregateSpec,
  place: Place,
  zone: TimeZone,
  now: Date,
): readonly Range[] | null {
  const at = place.inside("date_ranges");
  if (!spec.date_ranges?.length) {
    return at.report("date_range requires date_ranges: a list of {from, to}");
  }
  const ranges = spec.date_ranges.map((range, index) => {
    const item = at.item(index);
    const from = readDate(range.from, item.inside("from"), zone, now);
    const to = readDate(range.to, item.inside("to"), zone, now);
    return from === undefined || to === undefined ? null : checkRange({ from, to }, item);
  });
  return allRead(ranges);
}

/** Null: open. Undefined: a problem was reported. */
function readDate(
  text: string | undefined,
  at: Place,
  zone: TimeZone,
  now: Date,
): string | null | undefined {
  if (!text) return null;
  const canonical = readTime(text, zone, now);
  if (canonical === null) at.report(`expected ${valueNoun.timestamp}, got '${text}'`);
  return canonical ?? undefined;
}

function checkRange(range: Range, at: Place): Range | null {
  const { from, to } = range;
  if (from === null && to === null) return at.report("needs from, to or both");
  if (from !== null && to !== null && compareValues(from, to) > 0) {
    return at.report("from is after to");
  }
  return range;
}

const allRead = (ranges: readonly (Range | null)[]): readonly Range[] | null =>
  ranges.includes(null) ? null : ranges.filter((range) => range !== null);
