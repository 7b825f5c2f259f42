import {
  fullyChecked,
  isLargerThan,
  placeOf,
  withSample,
  type MemberNoun,
  type SchemaProblem,
} from "@security-platform/spec/schemas";
import type { Awaitable } from "../foundation/awaitable.ts";
import type { Problem } from "../foundation/errors.ts";
import { originalPath, reduced } from "./large-value.ts";
import { schemas, type Schema } from "./resolved.ts";

export { resolved, type Schema } from "./resolved.ts";

/** Returns the problems of a value; an empty list if it is valid. */
export type SchemaValidator = (value: unknown) => readonly Problem[];

const nounOf = (place: string): MemberNoun => (place === "query" ? "parameter" : "field");

const noProblems: readonly Problem[] = [];

/** The problems with their places, which start with that of the value. */
const placed = (place: string, problems: readonly SchemaProblem[]): readonly Problem[] =>
  problems.length === 0
    ? noProblems
    : problems.map(({ path, message }) => ({ at: placeOf(place, path), message }));

/** A validator of `schema`. The location of every problem starts with `place` (`body`, `query`). */
export function schemaValidator(schema: Schema, place: string): SchemaValidator {
  const validate = schemas.validator(schema, nounOf(place));
  return (value) => placed(place, validate(value));
}

/**
 * Like `schemaValidator`, with the same problems. Validates a large value in portions, between
 * which other requests run.
 */
export function pausingValidator(
  schema: Schema,
  place: string,
): (value: unknown) => Awaitable<readonly Problem[]> {
  const full = schemas.problemsIn(schema, nounOf(place), "all");
  const first = schemas.problemsIn(schema, nounOf(place), "first");
  const inPortions = async (value: unknown): Promise<readonly Problem[]> => {
    const { value: part, moves } = await reduced(schema, value, schemaCheck);
    const problems = first(part).map(({ path, message }) => ({
      path: originalPath(path, moves),
      message,
    }));
    return placed(place, withSample(value, problems, full));
  };
  return (value) =>
    isLargerThan(fullyChecked, value) ? inPortions(value) : placed(place, full(value));
}

/** Whether a value is valid. */
export type SchemaCheck = (value: unknown) => boolean;

/** Like `schemaValidator`, without the cost of describing problems. */
export function schemaCheck(schema: Schema): SchemaCheck {
  const find = schemas.violationsIn(schema);
  return (value) => find(value, "first").length === 0;
}
