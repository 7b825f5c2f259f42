import type { Records } from "../store/types.ts";

/** The part of `Records` that aggregates read. */
export type AggregateSource = Pick<Records, "count" | "facets">;
