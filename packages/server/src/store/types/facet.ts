import type { Predicate } from "@security-platform/fql";

export type FacetValue = string | number | boolean;

export interface Facet {
  readonly value: FacetValue;
  /** Number of records with the value, not of occurrences. */
  readonly count: number;
}

/**
 * The queries on which all aggregates are based. An array field counts a record once per distinct element. No
 * query includes records without a value.
 */
export interface Facets {
  /**
   * Values with their counts. Equal counts are sorted by value, ascending. `total` is the number of distinct
   * values.
   */
  groups(
    field: string,
    predicate: Predicate,
    options: {
      now: Date;
      limit: number;
      offset?: number;
      order: "count" | "value";
      direction: "asc" | "desc";
      minimumCount?: number;
      maximumCount?: number;
    },
  ): Promise<{
    readonly facets: readonly Facet[];
    readonly total: number;
    readonly records: number;
  }>;
  /** Counts by the first `length` characters of a timestamp's canonical text, ascending. */
  timestampGroups(
    field: string,
    predicate: Predicate,
    options: { now: Date; length: number },
  ): Promise<readonly { readonly prefix: string; readonly count: number }[]>;
  /** Over a number or timestamp field (timestamps as canonical text, without sum). */
  statistics(
    field: string,
    predicate: Predicate,
    now: Date,
  ): Promise<{
    readonly count: number;
    readonly sum: number | null;
    readonly min: FacetValue | null;
    readonly max: FacetValue | null;
  }>;
  cardinality(field: string, predicate: Predicate, now: Date): Promise<number>;
  /** The values at zero-based ranks of the ascending order of all values. */
  valuesAtRanks(
    field: string,
    predicate: Predicate,
    options: { now: Date; ranks: readonly number[] },
  ): Promise<readonly FacetValue[]>;
}
