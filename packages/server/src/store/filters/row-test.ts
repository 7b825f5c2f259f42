import { matchesGlob } from "@security-platform/fql";
import { RowTest } from "../dialects/row-test.ts";
import { boundsOf, boundsUpTo, combined, type Bounds, type Point } from "./intervals.ts";
import { PatternSet, type Pattern } from "./pattern-set.ts";
import type { FieldShape, Shape, TestedColumn } from "../statements/shapes.ts";

/** The values of a row that a condition tests. The value of an array field is a list. */
type Row = readonly unknown[];
type Test = (row: Row) => boolean;

/** Minimum number of conditions on one value that are tested together. */
const many = 8;

/**
 * A test of a shape, and the columns whose values it needs. Arrays are JSON texts, or null if they are empty.
 */
export function rowTestOf(
  shape: Shape,
  isArray: (field: string) => boolean,
): { readonly columns: readonly TestedColumn[]; readonly test: RowTest } {
  const compiler = new Compiler(isArray);
  const test = compiler.test(shape);
  const { columns } = compiler;
  const arrays = columns.map(({ field }) => isArray(field));
  const read = (value: unknown, at: number): unknown => {
    if (arrays[at] !== true) return comparable(value);
    return value === null ? [] : JSON.parse(String(value));
  };
  const listed = columns.flatMap(({ field }, at) => (arrays[at] === true ? [field] : []));
  const source = { shape, arrays: listed };
  return { columns, test: new RowTest((values) => test(values.map(read)), source) };
}

/** Conditions that a `RowTest` can test. */
export function isTestable(shape: Shape): boolean {
  switch (shape.kind) {
    case "and":
    case "or":
      return shape.operands.every(isTestable);
    case "not":
      return isTestable(shape.operand);
    case "all":
    case "none":
    case "elements":
      return true;
    default:
      return isLeaf(shape);
  }
}

const leaves: ReadonlySet<string> = new Set<FieldShape["kind"]>([
  "present",
  "equal",
  "any-of",
  "compare",
  "range",
  "glob",
  "intervals",
  "text",
]);

const isLeaf = (shape: Shape): shape is FieldShape => leaves.has(shape.kind);

class Compiler {
  readonly columns: TestedColumn[] = [];
  readonly #isArray: (field: string) => boolean;
  readonly #places = new Map<string, number>();

  constructor(isArray: (field: string) => boolean) {
    this.#isArray = isArray;
  }

  test(shape: Shape): Test {
    switch (shape.kind) {
      case "all":
        return () => true;
      case "none":
        return () => false;
      case "and":
      case "or":
        return this.#group(shape.kind, shape.operands);
      case "elements":
        return this.#group(shape.every ? "and" : "or", shape.of);
      case "not": {
        const test = this.test(shape.operand);
        return (row) => !test(row);
      }
      default:
        if (!isLeaf(shape)) throw new RangeError(`${shape.kind} is tested by the engine`);
        return this.#leaf(shape);
    }
  }

  #group(kind: "and" | "or", parts: readonly Shape[]): Test {
    const operands = withOneNegation(kind, parts);
    const left = new Set(operands);
    const tests: Test[] = [];
    const leavesOf = Map.groupBy(operands.filter(isLeaf), (each) => this.#placeOf(each));
    for (const [place, group] of leavesOf) {
      const array = this.#isArray(group[0]?.field ?? "");
      if (!array || kind === "or") tests.push(...this.#ranges(kind, group, place, left));
      if (kind === "or") tests.push(...this.#patterns(group, place, left));
    }
    if (kind === "or")
      tests.push(
        ...this.#lookUps(
          operands.filter((each) => left.has(each)),
          left,
        ),
      );
    const rest = operands.filter((each) => left.has(each));
    tests.push(...rest.map((each) => this.test(each)));
    return firstOf(tests, kind === "or");
  }

  #ranges(
    kind: "and" | "or",
    group: readonly FieldShape[],
    place: number,
    left: Set<Shape>,
  ): readonly Test[] {
    const sets: Bounds[] = [];
    for (const shape of group) {
      const bounds = boundsOf(shape);
      if (bounds === null) continue;
      sets.push(bounds);
      left.delete(shape);
    }
    return sets.length === 0 ? [] : [this.#ofValue(group, place, within(combined(kind, sets)))];
  }

  #patterns(group: readonly FieldShape[], place: number, left: Set<Shape>): readonly Test[] {
    const found = group.flatMap((shape) => {
      const pattern = left.has(shape) ? patternOf(shape) : null;
      return pattern === null ? [] : [{ shape, pattern }];
    });
    if (found.length < many) return [];
    for (const { shape } of found) left.delete(shape);
    const patterns = new PatternSet(found.map(({ pattern }) => pattern));
    return [this.#ofValue(group, place, (value) => patterns.matches(String(value)))];
  }

  /** If alternatives each require one value, only the alternatives for the row's own values are tested. */
  #lookUps(alternatives: readonly Shape[], left: Set<Shape>): readonly Test[] {
    const byPlace = new Map<number, { field: string; keyed: [Keyed, Shape][] }>();
    for (const shape of alternatives) {
      const key = keyOf(shape);
      if (key === null) continue;
      const place = this.#placeOf(key);
      const { field } = key;
      const group = byPlace.get(place) ?? { field, keyed: [] };
      byPlace.set(place, { field, keyed: [...group.keyed, [key, shape]] });
    }
    return [...byPlace].flatMap(([place, { field, keyed }]) => {
      if (keyed.length < many) return [];
      const tests = new Map<unknown, Test>();
      for (const [value, group] of Map.groupBy(keyed, ([{ value: key }]) =>
        comparable(key.value),
      )) {
        tests.set(
          value,
          firstOf(
            group.map(([, shape]) => this.test(shape)),
            true,
          ),
        );
      }
      for (const [, shape] of keyed) left.delete(shape);
      return [
        this.#isArray(field)
          ? (row: Row) =>
              (row[place] as readonly unknown[]).some((value) => tests.get(value)?.(row) === true)
          : (row: Row) => tests.get(row[place])?.(row) === true,
      ];
    });
  }

  #leaf(shape: FieldShape): Test {
    const place = this.#placeOf(shape);
    if (shape.kind === "present") {
      return this.#isArray(shape.field)
        ? (row) => (row[place] as readonly unknown[]).length > 0
        : (row) => row[place] !== null;
    }
    return this.#ofValue([shape], place, valueTest(shape));
  }

  #ofValue(group: readonly FieldShape[], place: number, test: (value: unknown) => boolean): Test {
    if (!this.#isArray(group[0]?.field ?? "")) {
      return (row) => row[place] !== null && test(row[place]);
    }
    return (row) => {
      for (const value of row[place] as readonly unknown[]) if (test(value)) return true;
      return false;
    };
  }

  #placeOf(shape: FieldShape): number {
    const column = { field: shape.field, of: columnOf(shape, this.#isArray(shape.field)) };
    const key = `${column.field} ${column.of}`;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.columns.push(column) - 1;
      this.#places.set(key, place);
    }
    return place;
  }
}

/** The first test with this result decides: true in an `or`, false in an `and`. */
function firstOf(tests: readonly Test[], result: boolean): Test {
  const [only, second] = tests;
  if (only !== undefined && tests.length === 1) return only;
  if (only !== undefined && second !== undefined && tests.length === 2) {
    return result ? (row) => only(row) || second(row) : (row) => only(row) && second(row);
  }
  return (row) => {
    for (const test of tests) if (test(row) === result) return result;
    return !result;
  };
}

type Keyed = Extract<FieldShape, { kind: "equal" }>;

/** A single value that an alternative requires. */
function keyOf(shape: Shape): Keyed | null {
  if (shape.kind !== "and") return null;
  return shape.operands.find((each) => each.kind === "equal") ?? null;
}

/** SQLite keeps a boolean as a number, and so do the tests. */
const comparable = (value: unknown): unknown =>
  typeof value === "boolean" ? Number(value) : value;

/**
 * "not a and not b" is "not (a or b)", and "not a or not b" is "not (a and b)". Many patterns then form one
 * set.
 */
function withOneNegation(kind: "and" | "or", parts: readonly Shape[]): readonly Shape[] {
  const negated = parts.flatMap((each) => (each.kind === "not" ? [each.operand] : []));
  if (negated.length < 2) return parts;
  const positive = parts.filter((each) => each.kind !== "not");
  const operand: Shape = { kind: kind === "and" ? "or" : "and", operands: negated };
  return [...positive, { kind: "not", operand }];
}

function columnOf(shape: FieldShape, array: boolean): TestedColumn["of"] {
  if (shape.kind === "text") return "text";
  if ("fold" in shape && shape.fold === true) return "fold";
  return array && (shape.kind === "glob" || shape.kind === "compare") ? "full" : "value";
}

function valueTest(shape: Exclude<FieldShape, { kind: "present" }>): (value: unknown) => boolean {
  if (shape.kind === "equal") {
    const expected = comparable(shape.value.value);
    return (value) => value === expected;
  }
  if (shape.kind === "any-of") {
    const values = new Set([shape.values.value].flat().map(comparable));
    return (value) => values.has(value);
  }
  const pattern = patternOf(shape);
  if (pattern !== null) return patternTest(pattern);
  const bounds = boundsOf(shape);
  if (bounds === null) throw new RangeError(`${shape.kind} of ${shape.field} has no order`);
  return within(bounds);
}

/** Surrogates and the code units after them, whose order differs from the order of their code points. */
const surrogates = /[\ud800-\uffff]/;

function within(bounds: Bounds): (value: unknown) => boolean {
  const [from, to] = bounds as [Point, Point];
  // If no bound has such units, values with such units sort after the bounds in both orders.
  const native = bounds.every((bound) => typeof bound === "number" || !surrogates.test(bound));
  if (native && bounds.length === 2) {
    return (value) => (value as Point) >= from && (value as Point) < to;
  }
  return (value) => boundsUpTo(bounds, value as Point) % 2 === 1;
}

/** The simple search is used if the product of both lengths is smaller than this. */
const fewComparisons = 10_000;

function patternTest({ parts }: Pattern): (value: unknown) => boolean {
  const [first, middle, last, ...more] = parts;
  if (first !== "" || last !== "" || middle === undefined || more.length > 0) {
    return (value) => matchesGlob(parts, String(value));
  }
  return (value) => {
    const text = String(value);
    return text.length * middle.length < fewComparisons
      ? text.includes(middle)
      : matchesGlob(parts, text);
  };
}

function patternOf(shape: FieldShape): Pattern | null {
  if (shape.kind === "glob") return { parts: shape.parts.value };
  return shape.kind === "text" ? { parts: ["", String(shape.needle.value), ""] } : null;
}
