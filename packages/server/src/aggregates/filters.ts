import { where } from "@security-platform/fql";
/** `filters`: one bucket for each named filter, and one for the records that match none. */
import type { AggregateSpec, Bucket, Compile, Setting } from "./aggregation.ts";
import { hasCount, readCountBounds, readFilter } from "./members.ts";
import type { Place } from "./problems.ts";

const defaultOtherKey = "_other_";

interface NamedFilter {
  readonly label: string;
  readonly predicate: Bucket["predicate"];
}

export const compileFilters: Compile = (spec, place, setting) => {
  const bounds = readCountBounds(spec, place, 0);
  const filters = readFilters(spec, place, setting);
  if (filters === null || bounds === null) return null;
  return async ({ source, predicate }) => {
    const buckets: Bucket[] = [];
    for (const { label, predicate: own } of filters) {
      const count = await source.count(where.all(predicate, own), setting.now);
      buckets.push({ item: { label, count }, predicate: own });
    }
    return { buckets: buckets.filter(({ item }) => hasCount(bounds)(item.count)), others: 0 };
  };
};

function readFilters(
  { filters_spec: filtersSpec }: AggregateSpec,
  place: Place,
  setting: Setting,
): readonly NamedFilter[] | null {
  const at = place.inside("filters_spec");
  const texts = Object.entries(filtersSpec?.filters ?? {});
  if (texts.length === 0) {
    return at.report("filters requires filters_spec with at least one named filter");
  }
  const filters: NamedFilter[] = [];
  for (const [label, text] of texts) {
    const predicate = readFilter(text, at.inside("filters").inside(label), setting);
    if (predicate !== null) filters.push({ label, predicate });
  }
  if (filters.length < texts.length) return null;
  if (filtersSpec?.other_bucket !== true) return filters;
  const label = filtersSpec.other_bucket_key ?? defaultOtherKey;
  if (texts.some(([name]) => name === label)) {
    return at.inside("other_bucket_key").report(`'${label}' is already the name of a filter`);
  }
  return [
    ...filters,
    { label, predicate: where.not(where.any(...filters.map((filter) => filter.predicate))) },
  ];
}
