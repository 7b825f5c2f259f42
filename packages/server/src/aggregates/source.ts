import type { Records } from "../store/index.ts";

/** The part of `Records` that aggregates read. */
export type AggregateSource = Pick<Records, "count" | "facets">;
