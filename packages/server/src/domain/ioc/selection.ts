import { parseFilter, type Predicate } from "@security-platform/fql";
import { errors } from "../../errors.ts";
import { filterReader } from "../../records/filters.ts";
import type { WritableRecords } from "../../store/types.ts";
import { indicators, type Indicator } from "./indicators.ts";

/** Maximum number of indicators in a bulk change. */
const bulkCeiling = 10_000;

/** The filter of a bulk change. 400 for an empty filter, which would select all indicators by mistake. */
export function bulkPredicate(filter: string, now: Date): Predicate {
  if (parseFilter(filter).kind === "everything") {
    throw errors.invalidFilter(
      "Invalid filter expression supplied: empty at offset 0. A bulk change needs a filter; id:* selects every indicator.",
    );
  }
  return filterReader(indicators.fields).predicate(filter, now);
}

/** Locks and returns the tenant's matching indicators; 400 for too many. `at`: the place of the filter. */
export async function takeSelected(
  records: WritableRecords<Indicator>,
  predicate: Predicate,
  now: Date,
  at: string,
): Promise<readonly Indicator[]> {
  const count = await records.count(predicate, now);
  if (count <= bulkCeiling) return records.findForUpdate(predicate, now);
  const message = `selects ${count} indicators, a bulk change touches at most ${bulkCeiling}; narrow the filter`;
  throw errors.invalidRequest([{ at, message }]);
}
