import { parseFilter, type Predicate } from "@security-platform/fql";
import { errors } from "../../errors.ts";
import { filterReader } from "../../records/filters.ts";
import type { WritableRecords } from "../../store/types.ts";
import { indicators, type Indicator } from "./indicators.ts";

/** A bulk change touches no more than this many indicators. */
const bulkCeiling = 10_000;

/** The filter of a bulk change; one that leaves nothing out must be said in so many words. */
export function bulkPredicate(filter: string, now: Date): Predicate {
  if (parseFilter(filter).kind === "everything") {
    throw errors.invalidFilter(
      "Invalid filter expression supplied: empty at offset 0. A bulk change needs a filter; id:* selects every indicator.",
    );
  }
  return filterReader(indicators.fields).predicate(filter, now);
}

/** 400 when the filter at the place `at` selects more than a bulk change may touch. */
export async function requireBulk(
  records: WritableRecords<Indicator>,
  predicate: Predicate,
  now: Date,
  at: string,
): Promise<void> {
  const count = await records.count(predicate, now);
  if (count <= bulkCeiling) return;
  throw errors.invalidRequest([
    {
      at,
      message: `selects ${count} indicators, a bulk change touches at most ${bulkCeiling}; narrow the filter`,
    },
  ]);
}
