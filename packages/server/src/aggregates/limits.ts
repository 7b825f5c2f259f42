import type { Problem } from "../foundation/errors.ts";
import { noRecords } from "./no-records.ts";
import { AggregateError } from "./problems.ts";
import type { AggregateSource } from "./source.ts";

/** Limits for one request. */
export interface AggregateLimits {
  /** Maximum number of aggregate levels, including the outermost. */
  readonly depth: number;
  /** Maximum number of buckets on all levels together, and maximum of `from + size`. */
  readonly buckets: number;
  /** Maximum number of store queries. */
  readonly queries: number;
  /** Maximum number of distinct values of a list field for `include` and `exclude`. */
  readonly values: number;
}

export const defaultAggregateLimits: AggregateLimits = {
  depth: 5,
  buckets: 10_000,
  queries: 2_000,
  values: 100_000,
};

/** Counts the cost of a request. Its methods throw an `AggregateError` if a limit is exceeded. */
export class Budget {
  readonly limits: AggregateLimits;
  #buckets = 0;
  #queries = 0;

  constructor(limits: AggregateLimits) {
    this.limits = limits;
  }

  /** `path`: the aggregate that has the buckets. */
  addBuckets(count: number, path: string): void {
    this.#buckets += count;
    if (this.#buckets > this.limits.buckets) {
      throw exceeded({
        at: path,
        message:
          `the request produces more than ${this.limits.buckets} buckets; narrow the filter, use a ` +
          `smaller size or a longer interval, or drop empty buckets with min_doc_count 1`,
      });
    }
  }

  /** The same source, but each query for the aggregate at `path` is counted. */
  metered(source: AggregateSource, path: string): AggregateSource {
    if (source === noRecords) return source;
    const { facets } = source;
    const counted =
      <Arguments extends readonly unknown[], Answer>(ask: (...parameters: Arguments) => Answer) =>
      (...parameters: Arguments): Answer => {
        this.#addQuery(path);
        return ask(...parameters);
      };
    return {
      count: counted((...parameters) => source.count(...parameters)),
      facets: {
        groups: counted((...parameters) => facets.groups(...parameters)),
        timestampGroups: counted((...parameters) => facets.timestampGroups(...parameters)),
        statistics: counted((...parameters) => facets.statistics(...parameters)),
        cardinality: counted((...parameters) => facets.cardinality(...parameters)),
        valuesAtRanks: counted((...parameters) => facets.valuesAtRanks(...parameters)),
      },
    };
  }

  #addQuery(path: string): void {
    this.#queries += 1;
    this.#checkQueries(this.#queries, path);
  }

  /**
   * Refuses before they run what needs at least this many queries more. Each aggregate needs one for each bucket that
   * has records.
   */
  expectQueries(least: number, path: string): void {
    this.#checkQueries(this.#queries + least, path);
  }

  #checkQueries(count: number, path: string): void {
    if (count > this.limits.queries) {
      throw exceeded({
        at: path,
        message:
          `the request needs more than ${this.limits.queries} queries; aggregates inside others run ` +
          `once per bucket: request fewer buckets or fewer sub_aggregates`,
      });
    }
  }
}

const exceeded = (problem: Problem): AggregateError => new AggregateError([problem]);
