import { compareCodePoints } from "@security-platform/fql";
import { Parameter } from "../statements/plan-key.ts";
import type { FieldShape } from "../statements/shapes.ts";

/** A value of a field in the form of its column. */
export type Point = string | number;

/**
 * Ascending bounds. The set contains the values from the first bound up to (but without) the second one, from
 * the third up to the fourth, and so on.
 */
export type Bounds = readonly Point[];

const compare = (left: Point, right: Point): number =>
  typeof left === "string" ? compareCodePoints(left, String(right)) : left - Number(right);

/** The number of bounds that are at most the value. */
export function boundsUpTo(bounds: Bounds, value: Point): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(bounds[middle] as Point, value) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The values for which a condition holds. Null for a condition that is not a range of values. */
export function boundsOf(shape: FieldShape): Bounds | null {
  switch (shape.kind) {
    case "equal":
      return pointsOf([shape.value.value]);
    case "any-of":
      return pointsOf(shape.values.value as readonly unknown[]);
    case "compare":
      return halfOf(shape.operator, shape.value.value);
    case "range":
      return betweenOf(shape.from.value, shape.to.value, shape.closed);
    case "glob":
      return shape.pattern !== null || shape.from === null || shape.to === null
        ? null
        : betweenOf(shape.from.value, shape.to.value, false);
    case "intervals":
      return shape.bounds.value;
    default:
      return null;
  }
}

const isPoint = (value: unknown): value is Point =>
  typeof value === "string" || typeof value === "number";

function pointsOf(values: readonly unknown[]): Bounds | null {
  if (!values.every(isPoint)) return null;
  const sorted = [...new Set(values)].toSorted(compare);
  return withoutEmpty(sorted.flatMap((value) => [value, next(value)]));
}

function halfOf(operator: "<" | "<=" | ">" | ">=", value: unknown): Bounds | null {
  if (!isPoint(value)) return null;
  switch (operator) {
    case ">":
      return [next(value)];
    case ">=":
      return [value];
    case "<":
      return withoutEmpty([least(value), value]);
    case "<=":
      return [least(value), next(value)];
  }
}

function betweenOf(from: unknown, to: unknown, closed: boolean): Bounds | null {
  if (!isPoint(from) || !isPoint(to)) return null;
  const end = closed ? next(to) : to;
  return compare(from, end) < 0 ? [from, end] : [];
}

/** The least value. No value is infinite. */
const least = (like: Point): Point => (typeof like === "string" ? "" : -Number.MAX_VALUE);

/**
 * The next value in order. Stored texts contain no U+0000, so no text lies between a text and the same text
 * with U+0001 at its end.
 */
function next(value: Point): Point {
  return typeof value === "string" ? `${value}\u0001` : nextNumber(value);
}

const numbers = new Float64Array(1);
const bits = new BigInt64Array(numbers.buffer);

/** The next larger number that a double can represent. */
function nextNumber(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  numbers[0] = value;
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return numbers[0];
}

/** Removes each pair of equal bounds, because nothing lies between them. */
function withoutEmpty(bounds: Bounds): Bounds {
  const points: Point[] = [];
  for (const bound of bounds) {
    if (points.length > 0 && points.at(-1) === bound) points.pop();
    else points.push(bound);
  }
  return points;
}

/** The values that are in one of the sets (`or`), or in all of them (`and`). */
export function combined(kind: "and" | "or", sets: readonly Bounds[]): Bounds {
  const edges = sets.flatMap((bounds) =>
    bounds.map((bound, at) => ({ bound, step: at % 2 === 0 ? 1 : -1 })),
  );
  edges.sort((left, right) => compare(left.bound, right.bound));
  const threshold = kind === "or" ? 1 : sets.length;
  const result: Point[] = [];
  let holding = 0;
  for (const { bound, step } of edges) {
    const before = holding >= threshold;
    holding += step;
    if (holding >= threshold !== before) result.push(bound);
  }
  return withoutEmpty(result);
}

/**
 * Conditions of which one holds for exactly the values in the set. Null if there are more than `most`
 * intervals.
 */
export function shapesOf(
  bounds: Bounds,
  { field, fold, most }: { readonly field: string; readonly fold: boolean; readonly most: number },
): readonly FieldShape[] | null {
  const points: Point[] = [];
  const ranges: FieldShape[] = [];
  for (let at = 0; at < bounds.length; at += 2) {
    const [from, to] = [bounds[at] as Point, bounds[at + 1]];
    if (to !== undefined && compare(next(from), to) === 0) points.push(from);
    else ranges.push(rangeOf(from, to, field));
  }
  // There are no range conditions on folded values.
  if (ranges.length > (fold ? 0 : most)) return null;
  if (points.length === 0) return ranges;
  return [{ kind: "any-of", field, fold, values: new Parameter(points) }, ...ranges];
}

function rangeOf(from: Point, to: Point | undefined, field: string): FieldShape {
  const compared = (operator: "<" | ">=", value: Point): FieldShape => ({
    kind: "compare",
    field,
    operator,
    value: new Parameter(value),
  });
  if (to === undefined) return compared(">=", from);
  if (from === least(from)) return compared("<", to);
  return { kind: "range", field, from: new Parameter(from), to: new Parameter(to), closed: false };
}
