import { where } from "@security-platform/fql";
import type { AggregateSpec, Aggregation, Compile, Setting } from "./aggregation.ts";
import { compileDateHistogram } from "./date-histogram.ts";
import { compileFilters } from "./filters.ts";
import { readFilter } from "./members.ts";
import { compileAvg, compileCardinality, compileMax, compileMin, compileSum } from "./metrics.ts";
import { compilePercentiles } from "./percentiles.ts";
import type { Place } from "./problems.ts";
import { compileDateRange, compileRange } from "./ranges.ts";
import { compileTerms } from "./terms.ts";

type Type = AggregateSpec["type"];

const types: Readonly<Record<Type, Compile>> = {
  terms: compileTerms,
  date_histogram: compileDateHistogram,
  date_range: compileDateRange,
  range: compileRange,
  filters: compileFilters,
  cardinality: compileCardinality,
  max: compileMax,
  min: compileMin,
  avg: compileAvg,
  sum: compileSum,
  percentiles: compilePercentiles,
};
const bucketTypes: readonly Type[] = ["terms", "date_histogram", "date_range", "range", "filters"];

/** Reports all problems of a specification and its sub-aggregates at `place`. */
export function compile(
  spec: AggregateSpec,
  place: Place,
  setting: Setting,
  depth = 1,
): Aggregation | null {
  const { name, type } = spec;
  if (depth > setting.limits.depth) {
    return place.report(`aggregates are nested more than ${setting.limits.depth} deep`);
  }
  if (!Object.hasOwn(types, type)) {
    return place
      .inside("type")
      .report(`expected one of ${Object.keys(types).join(", ")}, got '${type}'`);
  }
  if (spec.filters_spec !== undefined && type !== "filters") {
    place
      .inside("filters_spec")
      .report(`belongs to type filters; ${type} inside its sub_aggregates counts filter by filter`);
  }
  const filter = readFilter(spec.filter, place.inside("filter"), setting);
  const query = readFilter(spec.q, place.inside("q"), setting);
  const collect = types[type](spec, place, setting);
  const parts = compileParts(spec, place, setting, depth);
  if (filter === null || query === null || collect === null || parts === null) return null;
  return { name, path: place.path, predicate: where.all(filter, query), collect, parts };
}

function compileParts(
  { type, sub_aggregates: specs }: AggregateSpec,
  place: Place,
  setting: Setting,
  depth: number,
): readonly Aggregation[] | null {
  const at = place.inside("sub_aggregates");
  if (specs === undefined || specs.length === 0) return [];
  if (!bucketTypes.includes(type)) {
    return at.report(`${type} has no buckets to aggregate in; ${bucketTypes.join(", ")} have`);
  }
  const parts = specs.map((spec, index) => compile(spec, at.item(index), setting, depth + 1));
  return parts.includes(null) ? null : parts.filter((part) => part !== null);
}
