export { aggregate } from "./aggregate.ts";
export type { AggregateSpec } from "./aggregation.ts";
export type { AggregateSource } from "./source.ts";
export { AggregateError } from "./problems.ts";
