import type { Awaitable } from "../foundation/awaitable.ts";
import type { Problem } from "../foundation/errors.ts";
import { violationsIn } from "./json-schema.ts";
import { problemsOf } from "./problems.ts";
import { originalPlace, reduced } from "./large-value.ts";
import type { Schema } from "./resolved.ts";
import { isLargerThan, sampleOf } from "./sample.ts";

export { resolved, type Schema } from "./resolved.ts";

/** Returns the problems of a value; an empty list if it is valid. */
export type SchemaValidator = (value: unknown) => readonly Problem[];

/** Maximum number of JSON values up to which all violations are reported, in one turn. */
const fullyChecked = 2_000;
/** Maximum number of JSON values in the sample of a larger value. */
const largestSample = 5_000;

/**
 * A validator of `schema`. The location of every problem starts with `place` (`body`, `query`). For a large
 * value, reports the first violation and the violations among the first items of its lists, because listing
 * millions of violations would take minutes.
 */
export function schemaValidator(schema: Schema, place: string): SchemaValidator {
  const full = problemsIn(schema, place, "all");
  const first = problemsIn(schema, place, "first");
  return (value) =>
    isLargerThan(fullyChecked, value) ? withSample(value, first(value), full) : full(value);
}

/**
 * Like `schemaValidator`, with the same problems. Validates a large value in portions, between
 * which other requests run.
 */
export function pausingValidator(
  schema: Schema,
  place: string,
): (value: unknown) => Awaitable<readonly Problem[]> {
  const full = problemsIn(schema, place, "all");
  const first = problemsIn(schema, place, "first");
  const inPortions = async (value: unknown): Promise<readonly Problem[]> => {
    const { value: part, moves } = await reduced(schema, value, place, schemaCheck);
    const problems = first(part).map((problem) => ({
      ...problem,
      at: originalPlace(problem.at, moves),
    }));
    return withSample(value, problems, full);
  };
  return (value) => (isLargerThan(fullyChecked, value) ? inPortions(value) : full(value));
}

/** Adds the violations in a sample of the value to the first violation, if there is one. */
function withSample(
  value: unknown,
  problems: readonly Problem[],
  full: SchemaValidator,
): readonly Problem[] {
  if (problems.length === 0) return problems;
  const sample = sampleOf(value);
  if (isLargerThan(largestSample, sample)) return problems;
  const places = new Set(problems.map(({ at }) => at));
  return [...problems, ...full(sample).filter(({ at }) => !places.has(at))];
}

/** Whether a value is valid. */
export type SchemaCheck = (value: unknown) => boolean;

/** Like `schemaValidator`, without the cost of describing problems. */
export function schemaCheck(schema: Schema): SchemaCheck {
  const find = violationsIn(schema);
  return (value) => find(value, "first").length === 0;
}

const noProblems: readonly Problem[] = [];

function problemsIn(schema: Schema, place: string, depth: "all" | "first"): SchemaValidator {
  const find = violationsIn(schema);
  return (value) => {
    const violations = find(value, depth);
    return violations.length === 0 ? noProblems : problemsOf(violations, place, value);
  };
}
