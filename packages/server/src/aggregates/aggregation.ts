import type { Fields, Predicate } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { AggregateLimits } from "./limits.ts";
import type { AggregateSource } from "./source.ts";
import type { Place } from "./problems.ts";

export type AggregateSpec = components["schemas"]["AggregateSpec"];
export type AggregateResult = components["schemas"]["AggregateResult"];
export type AggregateBucket = components["schemas"]["AggregateBucket"];

/** Data shared by all specifications of a request. */
export interface Setting {
  readonly fields: Fields;
  readonly now: Date;
  readonly limits: AggregateLimits;
}

/** The records that one aggregate is computed over. */
export interface Slice {
  readonly source: AggregateSource;
  readonly predicate: Predicate;
}

export interface Bucket {
  readonly item: Omit<AggregateBucket, "sub_aggregates">;
  /** The records of the slice. */
  readonly predicate: Predicate;
}

export interface Answer {
  readonly buckets: readonly Bucket[];
  /** Number of records in the omitted buckets. */
  readonly others: number;
}

export type Collect = (slice: Slice) => Promise<Answer>;

/** Reads the members of one type. Returns null after reporting a problem. */
export type Compile = (spec: AggregateSpec, place: Place, setting: Setting) => Collect | null;

/** A validated specification, ready to run on any slice. */
export interface Aggregation {
  readonly name: string;
  readonly path: string;
  /** The predicate of its own `filter` and `q`. */
  readonly predicate: Predicate;
  readonly collect: Collect;
  readonly parts: readonly Aggregation[];
}
