export { aggregate, type AggregateOptions } from "./aggregate.ts";
export type { AggregateResult, AggregateSpec } from "./aggregation.ts";
export { defaultAggregateLimits, type AggregateLimits, type AggregateSource } from "./limits.ts";
export { AggregateError } from "./problems.ts";
