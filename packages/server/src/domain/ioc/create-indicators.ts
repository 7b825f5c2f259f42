import type { SkippedItem } from "../../calls/answer.ts";
import { errors, type Problem } from "../../foundation/errors.ts";
import { pause } from "../../foundation/work-turns.ts";
import { defined } from "../../records/defined.ts";
import { rivalsOf, type Placed, type Rival } from "../../records/duplicates.ts";
import type { Author } from "../../records/write.ts";
import type { WritableRecords } from "../../store/index.ts";
import { indicators, type Indicator, type IndicatorInput } from "./indicators.ts";
import { newIndicator } from "./new-indicator.ts";
import { expirationWarnings, valueWarnings } from "./warnings.ts";

/** Builds the indicators of the inputs. Throws a 400 with the problems of all inputs. */
export async function newIndicators(
  inputs: readonly IndicatorInput[],
  author: Author,
): Promise<readonly Placed<Indicator>[]> {
  const results: Placed<Indicator>[] = [];
  const problems: Problem[] = [];
  for (const [index, input] of inputs.entries()) {
    const at = `body.indicators[${index}]`;
    const result = newIndicator(input, author, at);
    if ("problems" in result) problems.push(...result.problems);
    else results.push({ at, record: result.indicator });
    await pause();
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  return results;
}

/** The indicators to store, and the duplicates to leave out. */
export interface Selected {
  readonly unique: readonly Placed<Indicator>[];
  readonly skipped: readonly SkippedItem[];
}

/**
 * Throws a 409 for duplicates and a 400 for warnings. With `ignoreWarnings`, it leaves out duplicates and
 * ignores warnings.
 */
export async function withoutDuplicates(
  records: WritableRecords<Indicator>,
  requested: readonly Placed<Indicator>[],
  { now, ignoreWarnings }: { readonly now: Date; readonly ignoreWarnings: boolean },
): Promise<Selected> {
  const rivals = await rivalsOf(requested, {
    keyOf,
    holders: (keys) => {
      const ids = requested.map(({ record }) => record.id);
      return records.findDuplicates(keys, ids);
    },
  });
  const unique = requested.filter((_, index) => rivals[index] === undefined);
  if (!ignoreWarnings) {
    const duplicates = requested.flatMap((placed, index) => {
      const rival = rivals[index];
      if (rival === undefined) return [];
      const { at, message, id } = duplicate(placed, rival);
      return [{ at, ...defined({ id }), message: `${message}; ${remedy(rival)}` }];
    });
    const warnings = requested.flatMap(({ record, at }) => [
      ...valueWarnings(record, at),
      ...expirationWarnings(record, now, at),
    ]);
    if (duplicates.length > 0) throw errors.conflict([...duplicates, ...warnings]);
    if (warnings.length > 0) throw errors.warnings(warnings);
  }
  const skipped = requested.flatMap((placed, index) => {
    const rival = rivals[index];
    if (rival === undefined) return [];
    const { at, message, id } = duplicate(placed, rival);
    return [{ index, ...defined({ id }), message: `${at}: ${message}` }];
  });
  return { unique, skipped };
}

const keyOf = (indicator: Indicator): string => indicators.uniqueKey?.(indicator) ?? indicator.id;

/** The reason why an indicator is a duplicate. */
function duplicate({ at, record }: Placed<Indicator>, rival: Rival): Problem {
  const name = `${record.type} ${record.value}`;
  return "id" in rival
    ? { at, id: rival.id, message: `${name} already exists as ${rival.id}` }
    : { at, message: `${name} is already in the request, as ${rival.at}` };
}

const remedy = (rival: Rival): string =>
  "id" in rival
    ? "update it, or send ignore_warnings=true to skip it"
    : "remove one, or send ignore_warnings=true to skip this one";
