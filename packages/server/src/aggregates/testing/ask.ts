import { lowerFilter, parseFilter } from "@security-platform/fql";
import type { JsonObject } from "../../store/types.ts";
import {
  aggregate,
  AggregateError,
  type AggregateLimits,
  type AggregateResult,
  type AggregateSpec,
} from "../index.ts";
import { memoryRecords } from "./memory-records.ts";
import { sightingFields, sightings } from "./sightings.ts";

export const now = new Date("2024-04-03T12:00:00Z");

/** A specification whose name is optional at every level. */
export type Given = Omit<AggregateSpec, "name" | "sub_aggregates"> & {
  readonly name?: string;
  readonly sub_aggregates?: readonly Given[];
};

export interface Asking {
  readonly records?: readonly JsonObject[];
  readonly filter?: string;
  readonly limits?: Partial<AggregateLimits>;
}

export const specOf = ({ sub_aggregates: parts, ...given }: Given): AggregateSpec => ({
  name: "it",
  ...given,
  ...(parts && { sub_aggregates: parts.map(specOf) }),
});

/** The result of an aggregate over the sightings in memory. */
export async function ask(given: Given, asking: Asking = {}): Promise<AggregateResult> {
  const [result] = await askAll([given], asking);
  if (result === undefined) throw new RangeError("no result");
  return result;
}

export function askAll(
  given: readonly Given[],
  { records = sightings, filter = "", limits = {} }: Asking = {},
): Promise<readonly AggregateResult[]> {
  return aggregate(given.map(specOf), {
    records: memoryRecords(records, sightingFields),
    fields: sightingFields,
    base: lowerFilter(parseFilter(filter), sightingFields, now),
    now,
    limits,
  });
}

/** The problems of a specification, as `place: message`. */
export async function problemsOf(given: Given, asking: Asking = {}): Promise<readonly string[]> {
  try {
    await ask(given, asking);
    return [];
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    return error.problems.map(({ at, message }) => `${at}: ${message}`);
  }
}

export const counts = ({ buckets }: AggregateResult): readonly (readonly [unknown, number])[] =>
  buckets.map(({ label, count }) => [label, count]);
