export { aggregate } from "./aggregate.ts";
export type { AggregateResult, AggregateSpec } from "./aggregation.ts";
export type { AggregateLimits } from "./limits.ts";
export type { AggregateSource } from "./source.ts";
export { AggregateError } from "./problems.ts";
