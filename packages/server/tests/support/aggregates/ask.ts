import { lowerFilter, parseFilter } from "@security-platform/fql";
import type { JsonObject } from "../../../src/store/index.ts";
import { aggregate, AggregateError, type AggregateSpec } from "../../../src/aggregates/index.ts";
import type { AggregateResult } from "../../../src/aggregates/aggregation.ts";
import type { AggregateLimits } from "../../../src/aggregates/limits.ts";
import { memoryRecords } from "./memory-records.ts";
import { sightingFields, sightings } from "./sightings.ts";

export const now = new Date("2024-04-03T12:00:00Z");

/** A specification whose name is optional at every level. */
export type SpecInput = Omit<AggregateSpec, "name" | "sub_aggregates"> & {
  readonly name?: string;
  readonly sub_aggregates?: readonly SpecInput[];
};

export interface Asking {
  readonly records?: readonly JsonObject[];
  readonly filter?: string;
  readonly limits?: Partial<AggregateLimits>;
}

export const specOf = ({ sub_aggregates: parts, ...spec }: SpecInput): AggregateSpec => ({
  name: "it",
  ...spec,
  ...(parts && { sub_aggregates: parts.map(specOf) }),
});

/** The result of an aggregate over the sightings in memory. */
export async function ask(spec: SpecInput, asking: Asking = {}): Promise<AggregateResult> {
  const [result] = await askAll([spec], asking);
  if (result === undefined) throw new RangeError("no result");
  return result;
}

export function askAll(
  specs: readonly SpecInput[],
  { records = sightings, filter = "", limits = {} }: Asking = {},
): Promise<readonly AggregateResult[]> {
  return aggregate(specs.map(specOf), {
    records: memoryRecords(records, sightingFields),
    fields: sightingFields,
    base: lowerFilter(parseFilter(filter), sightingFields, now),
    now,
    limits,
  });
}

/** The problems of a specification, as `place: message`. */
export async function problemsOf(spec: SpecInput, asking: Asking = {}): Promise<readonly string[]> {
  try {
    await ask(spec, asking);
    return [];
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    return error.problems.map(({ at, message }) => `${at}: ${message}`);
  }
}

export const counts = ({ buckets }: AggregateResult): readonly (readonly [unknown, number])[] =>
  buckets.map(({ label, count }) => [label, count]);
