/**
 * `include` and `exclude` of a terms aggregate. Each is one value of the field, or a pattern in which `*`
 * stands for any text. They are case-sensitive unless the field ignores case.
 */
import { evaluate, foldCase, where, type Predicate, type Scalar } from "@security-platform/fql";
import type { AggregateSpec, Setting } from "./aggregation.ts";
import type { TargetField } from "./members.ts";
import type { Place } from "./problems.ts";
import { utc } from "./time-zone.ts";
import { readValue, servedValue, valueNoun } from "./values.ts";

export interface Choice {
  /** Matches records with a value to count. For a list field, the records may also have other values. */
  readonly predicate: Predicate;
  /** Whether every value is included. */
  readonly open: boolean;
  readonly accepts: (value: Scalar) => boolean;
}

export function readChoice(
  spec: AggregateSpec,
  place: Place,
  target: TargetField,
  setting: Setting,
): Choice | null {
  const included = readPattern(spec.include, place.inside("include"), target, setting);
  const excluded = readPattern(spec.exclude, place.inside("exclude"), target, setting);
  if (included === null || excluded === null) return null;
  const accepted =
    excluded === undefined
      ? (included ?? where.everything)
      : where.all(included ?? where.everything, where.not(excluded));
  return {
    // A record of a list field may have an excluded value and another one.
    predicate: target.field.array === true ? (included ?? where.everything) : accepted,
    open: accepted.kind === "everything",
    accepts: (value) => holdsOf(value, accepted, target),
  };
}

/** Tests a value with the filter language, as if it were a field of a record. */
function holdsOf(value: Scalar, chosen: Predicate, { name, field }: TargetField): boolean {
  const single = { type: field.type, path: "value" };
  return evaluate(chosen, { value: servedValue(value, field) }, { [name]: single });
}

/** Undefined: absent; null: invalid and reported. */
function readPattern(
  text: string | undefined,
  at: Place,
  { name, field }: TargetField,
  { now }: Setting,
): Predicate | undefined | null {
  if (text === undefined) return undefined;
  const fold = field.case === "insensitive";
  if (text.includes("*") && field.type === "string") {
    return { kind: "glob", field: name, parts: partsOf(fold ? foldCase(text) : text), fold };
  }
  const value = readValue(text, field, { zone: utc, now });
  if (value === null) return at.report(`expected ${valueNoun[field.type]}, got '${text}'`);
  return fold && typeof value === "string"
    ? where.equalFolded(name, value)
    : where.equal(name, value);
}

/** The texts between the stars; only the first and the last may be empty. */
function partsOf(pattern: string): readonly string[] {
  const parts = pattern.split("*");
  return parts.filter((part, index) => part !== "" || index === 0 || index === parts.length - 1);
}
