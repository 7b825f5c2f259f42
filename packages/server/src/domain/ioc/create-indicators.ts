import { errors, type Problem } from "../../errors.ts";
import type { WritableRecords } from "../../store/types.ts";
import { indicators, type Indicator, type IndicatorInput } from "./indicators.ts";
import { newIndicator, type Authorship } from "./new-indicator.ts";
import { expirationWarnings, valueWarnings } from "./warnings.ts";

/** A new indicator and the place in the request that describes it. */
export interface Candidate {
  readonly indicator: Indicator;
  readonly at: string;
}

/** The indicators that the inputs describe; 400 with everything that is wrong with any of them. */
export function readCandidates(
  inputs: readonly IndicatorInput[],
  authorship: Authorship,
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const problems: Problem[] = [];
  for (const [index, input] of inputs.entries()) {
    const at = `body.indicators[${index}]`;
    const made = newIndicator(input, authorship, at);
    if ("problems" in made) problems.push(...made.problems);
    else candidates.push({ indicator: made.indicator, at });
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return candidates;
}

/**
 * The candidates that can be stored. Duplicates and warnings stop the call (409, 400), or, with
 * `ignoreWarnings`, duplicates are left out and warnings count for nothing.
 */
export async function admitCandidates(
  records: WritableRecords<Indicator>,
  candidates: readonly Candidate[],
  { now, ignoreWarnings }: { readonly now: Date; readonly ignoreWarnings: boolean },
): Promise<readonly Indicator[]> {
  const { fresh, duplicates } = await splitDuplicates(records, candidates);
  if (ignoreWarnings) return fresh;
  const warnings = candidates.flatMap(({ indicator, at }) => [
    ...valueWarnings(indicator, at),
    ...expirationWarnings(indicator, now, at),
  ]);
  if (duplicates.length > 0) throw errors.conflict([...duplicates, ...warnings]);
  if (warnings.length > 0) throw errors.warnings(warnings);
  return fresh;
}

/** Of candidates with the same type and value the first one counts. */
async function splitDuplicates(
  records: WritableRecords<Indicator>,
  candidates: readonly Candidate[],
): Promise<{ readonly fresh: readonly Indicator[]; readonly duplicates: readonly Problem[] }> {
  const stored = await records.findDuplicates(candidates.map(({ indicator }) => keyOf(indicator)));
  const places = new Map<string, string>();
  const fresh: Indicator[] = [];
  const duplicates: Problem[] = [];
  for (const { indicator, at } of candidates) {
    const key = keyOf(indicator);
    const id = stored.get(key);
    const earlier = places.get(key);
    const named = `${indicator.type} ${indicator.value}`;
    if (id !== undefined) {
      const message = `${named} exists already as ${id}; update it, or send ignore_warnings=true to skip it`;
      duplicates.push({ at, id, message });
    } else if (earlier !== undefined) {
      const message = `${named} is in the request already, as ${earlier}; remove one, or send ignore_warnings=true to skip this one`;
      duplicates.push({ at, message });
    } else {
      places.set(key, at);
      fresh.push(indicator);
    }
  }
  return { fresh, duplicates };
}

const keyOf = (indicator: Indicator): string => indicators.uniqueKey?.(indicator) ?? indicator.id;
