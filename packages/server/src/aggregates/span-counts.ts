/** Counts of records by calendar span, from the store's counts by the start of a timestamp's text. */
import { where, type Predicate } from "@security-platform/fql";
import type { Slice } from "./aggregation.ts";
import { spanAt, type Interval, type Span } from "./calendar.ts";
import type { TargetField } from "./members.ts";
import { within } from "./within.ts";
import { canonicalInstant } from "./times.ts";
import type { TimeZone } from "./time-zone.ts";

export interface SpanCount {
  readonly span: Span;
  readonly count: number;
}

/** Length of the prefix of `YYYY-MM-DDTHH:MM:SS` for years, months, days, hours, minutes, seconds. */
const lengths = [4, 7, 10, 13, 16, 19];
const ownLength: Readonly<Record<Interval, number>> = {
  year: 4,
  month: 7,
  week: 10,
  day: 10,
  hour: 13,
  minute: 16,
};
/** If more periods than this cross a border, all of them are counted again in shorter periods. */
const mostStraddling = 200;

export const spanPredicate = (field: string, { start, end }: Span): Predicate =>
  within(field, canonicalInstant(start), canonicalInstant(end));

/** The spans with a record, in order of time. */
export async function countSpans(
  slice: Slice,
  { name, field }: TargetField,
  interval: Interval,
  zone: TimeZone,
  now: Date,
): Promise<readonly SpanCount[]> {
  const spans = new Map<number, SpanCount>();
  let scope = slice.predicate;
  for (const length of lengths.slice(lengths.indexOf(ownLength[interval]))) {
    const groups = await slice.source.facets.timestampGroups(name, scope, { now, length });
    const periods = groups.map(({ prefix, count }) => ({ ...periodOf(prefix), count }));
    const { settled, straddling } = settle(periods, interval, zone);
    if (straddling.length > mostStraddling) continue;
    for (const counted of settled) add(spans, counted);
    if (straddling.length === 0) break;
    scope = where.all(
      slice.predicate,
      where.any(...straddling.map((period) => spanPredicate(name, period))),
    );
  }
  const counted = [...spans.values()].toSorted((one, other) => one.span.start - other.span.start);
  return field.array === true ? recount(counted, slice, name, now) : counted;
}

interface Period extends Span {
  readonly count: number;
}

/** Most periods lie within one span. The others are counted in shorter periods. */
function settle(
  periods: readonly Period[],
  interval: Interval,
  zone: TimeZone,
): { settled: readonly SpanCount[]; straddling: readonly Period[] } {
  const settled: SpanCount[] = [];
  const straddling: Period[] = [];
  let span: Span | undefined;
  for (const period of periods) {
    if (span === undefined || period.start >= span.end) span = spanAt(period.start, interval, zone);
    if (period.end <= span.end) settled.push({ span, count: period.count });
    else straddling.push(period);
  }
  return { settled, straddling };
}

function add(spans: Map<number, SpanCount>, { span, count }: SpanCount): void {
  spans.set(span.start, { span, count: count + (spans.get(span.start)?.count ?? 0) });
}

/** The instant of a prefix of a canonical timestamp. */
function periodOf(prefix: string): Span {
  const start = Date.parse(`${prefix}${"0000-01-01T00:00:00Z".slice(prefix.length)}`);
  const next = new Date(start);
  if (prefix.length === 4) next.setUTCFullYear(next.getUTCFullYear() + 1);
  else if (prefix.length === 7) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setTime(start + ({ 10: 86_400, 13: 3_600, 16: 60 }[prefix.length] ?? 1) * 1000);
  return { start, end: next.getTime() };
}

/** A record of a list field that has several times in one span counts once. */
async function recount(
  counted: readonly SpanCount[],
  { source, predicate }: Slice,
  name: string,
  now: Date,
): Promise<readonly SpanCount[]> {
  const exact: SpanCount[] = [];
  for (const { span } of counted) {
    const count = await source.count(where.all(predicate, spanPredicate(name, span)), now);
    exact.push({ span, count });
  }
  return exact;
}
