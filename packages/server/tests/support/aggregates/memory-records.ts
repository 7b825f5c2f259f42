import { evaluate, fieldValues, type Fields, type Predicate } from "@security-platform/fql";
import type { Facet, FacetValue, JsonObject } from "../../../src/store/index.ts";
import type { AggregateSource } from "../../../src/aggregates/source.ts";
import { compareValues } from "../../../src/aggregates/values.ts";

/**
 * A list of records that answers as the store is documented to answer. It is as simple as possible, for
 * comparison.
 */
export function memoryRecords(records: readonly JsonObject[], fields: Fields): AggregateSource {
  const matching = (predicate: Predicate): readonly JsonObject[] =>
    records.filter((record) => evaluate(predicate, record, fields));

  /** The distinct values of each matching record. */
  const valuesOf = (name: string, predicate: Predicate): readonly (readonly FacetValue[])[] => {
    const field = fields[name];
    if (field === undefined) throw new RangeError(`no field ${name}`);
    return matching(predicate).map((record) => [...new Set(fieldValues(record, name, field))]);
  };

  const ascending = (name: string, predicate: Predicate): readonly FacetValue[] =>
    valuesOf(name, predicate).flat().toSorted(compareValues);

  return {
    count: async (predicate) => matching(predicate).length,
    facets: {
      groups: async (name, predicate, options) => {
        const { minimumCount = 1, maximumCount = Infinity, offset = 0, limit } = options;
        const sign = options.direction === "asc" ? 1 : -1;
        const facets = facetsOf(ascending(name, predicate))
          .filter((facet) => facet.count >= minimumCount && facet.count <= maximumCount)
          .toSorted((one, other) =>
            options.order === "value"
              ? sign * compareValues(one.value, other.value)
              : sign * (one.count - other.count) || compareValues(one.value, other.value),
          );
        return {
          facets: facets.slice(offset, offset + limit),
          total: facets.length,
          records: facets.reduce((sum, facet) => sum + facet.count, 0),
        };
      },
      timestampGroups: async (name, predicate, { length }) => {
        const prefixes = valuesOf(name, predicate).flatMap((values) => [
          ...new Set(values.map((value) => String(value).slice(0, length))),
        ]);
        return facetsOf(prefixes.toSorted(compareValues)).map((facet) => ({
          prefix: String(facet.value),
          count: facet.count,
        }));
      },
      statistics: async (name, predicate) => {
        const values = ascending(name, predicate);
        const numbers = values.filter((value) => typeof value === "number");
        return {
          count: values.length,
          sum: numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0),
          min: values[0] ?? null,
          max: values.at(-1) ?? null,
        };
      },
      cardinality: async (name, predicate) => new Set(ascending(name, predicate)).size,
      valuesAtRanks: async (name, predicate, { ranks }) => {
        const values = ascending(name, predicate);
        return ranks.flatMap((rank) => values[rank] ?? []);
      },
    },
  };
}

const facetsOf = (values: readonly FacetValue[]): readonly Facet[] =>
  [...Map.groupBy(values, (value) => value)].map(([value, same]) => ({
    value,
    count: same.length,
  }));
