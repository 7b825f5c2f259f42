import * as fc from "fast-check";
import type { Interval } from "../../../src/aggregates/calendar.ts";
import type { SpecInput } from "./ask.ts";
import { zoneNames } from "./zones.ts";

const field = (...names: readonly string[]) => fc.constantFrom(...names);
const bounds = {
  min_doc_count: fc.integer({ min: 0, max: 4 }),
  max_doc_count: fc.integer({ min: 4, max: 40 }),
};
const zone = fc.constantFrom(...zoneNames);
const filter = fc.constantFrom(
  "level:>3",
  "tags:'red'",
  "tags:!'red'",
  "name:'ALPHA',kind:''",
  "seen_at:>'2024-01-01'+expired:!true",
  "address:'10.0.0.0/8'",
  "name:*'*a*'",
);
const date = fc.constantFrom("2023-12-31", "2024-03-31T00:30:00Z", "now-7d", "now", "2024-10-27");

/** `always` are members that the type needs. `sometimes` are optional members. */
function arbitrarySpec<Type extends SpecInput["type"]>(
  type: Type,
  always: { readonly [Name in keyof SpecInput]?: fc.Arbitrary<SpecInput[Name]> },
  sometimes: { readonly [Name in keyof SpecInput]?: fc.Arbitrary<SpecInput[Name]> } = {},
): fc.Arbitrary<SpecInput> {
  const requiredKeys = ["type", ...Object.keys(always)];
  const model = { type: fc.constant(type), ...sometimes, filter, q: filter, ...always };
  return fc
    .record(model as Record<string, fc.Arbitrary<unknown>>, { requiredKeys })
    .map((members) => members as SpecInput);
}

const texts = arbitrarySpec(
  "terms",
  { field: field("name", "kind", "tags", "origin.host") },
  {
    ...bounds,
    size: fc.integer({ min: 0, max: 8 }),
    from: fc.integer({ min: 0, max: 3 }),
    sort: fc.constantFrom("_count", "_count|asc", "_term", "_term.desc"),
    include: fc.constantFrom("*e*", "red", "alpha", "ü", "50%", "*_*"),
    exclude: fc.constantFrom("red", "*a*b*", "ALPHA", ""),
    missing: fc.constantFrom("red", "none", ""),
  },
);
const values = arbitrarySpec(
  "terms",
  { field: field("id", "level", "score", "expired", "seen_at", "visits", "address") },
  {
    ...bounds,
    size: fc.integer({ min: 0, max: 20 }),
    from: fc.integer({ min: 0, max: 3 }),
    sort: fc.constantFrom("_count", "_count|asc", "_term", "_term.desc"),
  },
);
const histogramsOf = (name: string, lengths: readonly Interval[]) =>
  arbitrarySpec(
    "date_histogram",
    { field: field(name), interval: fc.constantFrom(...lengths) },
    {
      ...bounds,
      min_doc_count: fc.integer({ min: 0, max: 2 }),
      time_zone: zone,
      missing: date,
      extended_bounds: fc.constant({ min: "2023-09-01", max: "2024-12-24" }),
    },
  );
const histograms = fc.oneof(
  histogramsOf("seen_at", ["year", "month", "week", "day", "hour"]),
  // Each bucket of a list field costs one query.
  histogramsOf("visits", ["year", "month"]),
);
const dateRanges = arbitrarySpec(
  "date_range",
  {
    field: field("seen_at", "visits"),
    date_ranges: fc.array(
      fc.oneof(
        date.map((from) => ({ from })),
        date.map((to) => ({ to })),
        fc.constant({ from: "2024-02-29", to: "now+1d" }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { ...bounds, time_zone: zone, missing: date },
);
const ranges = arbitrarySpec(
  "range",
  {
    field: field("level", "score"),
    ranges: fc.constant([{ to: 0 }, { from: 0, to: 3 }, { from: 2.5 }, { from: 3, to: 3 }]),
  },
  { ...bounds, missing: fc.constantFrom("0", "3", "-1.5") },
);
const filters = arbitrarySpec("filters", {
  filters_spec: fc.record({
    filters: fc.dictionary(fc.constantFrom("one", "two", "10"), filter, { minKeys: 1 }),
    other_bucket: fc.boolean(),
  }),
});
const numbers = fc
  .constantFrom("sum", "avg", "min", "max")
  .chain((type) =>
    arbitrarySpec(
      type,
      { field: field("level", "score") },
      { missing: fc.constantFrom("0", "2.5") },
    ),
  );
const times = fc
  .constantFrom("min", "max")
  .chain((type) => arbitrarySpec(type, { field: field("seen_at", "visits") }, { missing: date }));
const cardinality = arbitrarySpec("cardinality", {
  field: field("id", "name", "kind", "level", "tags", "visits", "address", "expired"),
});
const percentiles = arbitrarySpec(
  "percentiles",
  { field: field("level", "score", "seen_at") },
  { percents: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 4 }) },
);

const inner = fc.oneof(texts, values, ranges, numbers, times, cardinality, percentiles, filters);
const withParts = (outer: fc.Arbitrary<SpecInput>): fc.Arbitrary<SpecInput> =>
  fc.tuple(outer, fc.array(inner, { maxLength: 2 })).map(([members, parts]) => ({
    ...members,
    ...(parts.length > 0 && { sub_aggregates: parts }),
  }));

/** A specification of any type over the sightings, with or without sub-aggregates. */
export const anySpec: fc.Arbitrary<SpecInput> = fc.oneof(
  ...[texts, values, dateRanges, ranges, filters].map(withParts),
  histograms,
  numbers,
  times,
  cardinality,
  percentiles,
);
