import type { AggregateSource } from "./source.ts";

/** The store's results for an empty bucket, without a query. */
export const noRecords: AggregateSource = {
  count: () => Promise.resolve(0),
  facets: {
    groups: () => Promise.resolve({ facets: [], total: 0, records: 0 }),
    timestampGroups: () => Promise.resolve([]),
    statistics: () => Promise.resolve({ count: 0, sum: null, min: null, max: null }),
    cardinality: () => Promise.resolve(0),
    valuesAtRanks: () => Promise.resolve([]),
  },
};
