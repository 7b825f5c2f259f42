export { aggregate } from "./aggregate.ts";
export type { AggregateResult, AggregateSpec } from "./aggregation.ts";
export type { AggregateLimits, AggregateSource } from "./limits.ts";
export { AggregateError } from "./problems.ts";
