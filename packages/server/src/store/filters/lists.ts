import type { ElementsShape, FieldShape, Shape, ShapeScope, Value } from "../statements/shapes.ts";

type ValuesShape = Extract<FieldShape, { kind: "equal" | "any-of" }>;

/**
 * Joins alternatives on one field. Those that name values, such as `value:'a',value:'b'`, become one list: the
 * engine looks the value of a row up in it instead of comparing it with each value. Those on an array become
 * one condition that reads the elements of a row once.
 */
export function joinAlternatives(
  alternatives: readonly Shape[],
  { layout }: ShapeScope,
): readonly Shape[] {
  const others = alternatives.filter((each) => !isFieldShape(each));
  const fields = Map.groupBy(alternatives.filter(isFieldShape), ({ field }) => field);
  const joined = [...fields].flatMap(([field, group]): readonly Shape[] => {
    const of = mergeEqualities(group);
    const isArray = layout.fields.get(field)?.field.array === true;
    return isArray && of.length > 1
      ? [{ kind: "elements", field, of } satisfies ElementsShape]
      : of;
  });
  return [...others, ...joined];
}

/** Joins negated conditions in the same way: "not a and not b" is "not (a or b)". */
export function joinExclusions(conditions: readonly Shape[], scope: ShapeScope): readonly Shape[] {
  const joined: Shape[] = [];
  const excluded: Shape[] = [];
  for (const each of conditions) {
    if (each.kind === "not") excluded.push(each.operand);
    else joined.push(each);
  }
  if (excluded.length === 0) return joined;
  for (const operand of joinAlternatives(excluded, scope)) joined.push({ kind: "not", operand });
  return joined;
}

type Comparison = Extract<FieldShape, { kind: "compare" }>;

/** Joins a lower and an upper limit of one field, so that the matches between them can be counted and found at once. */
export function joinLimits(conditions: readonly Shape[], { layout }: ShapeScope): readonly Shape[] {
  const joined: Shape[] = [];
  for (const each of conditions) {
    const other = isLimit(each, layout)
      ? joined.findIndex((one) => isLimit(one, layout) && isOpposite(one, each))
      : -1;
    const first = joined[other];
    if (first === undefined) joined.push(each);
    else joined[other] = between(first as Comparison, each as Comparison);
  }
  return joined;
}

/** For an array, two different elements may satisfy the conditions. */
const isLimit = (shape: Shape, layout: ShapeScope["layout"]): shape is Comparison =>
  shape.kind === "compare" && layout.fields.get(shape.field)?.field.array !== true;

const isLower = ({ operator }: Comparison): boolean => operator.startsWith(">");

const isOpposite = (one: Comparison, other: Comparison): boolean =>
  one.field === other.field && isLower(one) !== isLower(other);

function between(one: Comparison, other: Comparison): Shape {
  const [lower, upper] = isLower(one) ? [one, other] : [other, one];
  return {
    kind: "range",
    field: one.field,
    from: lower.value,
    to: upper.value,
    closed: upper.operator === "<=",
    ...(lower.operator === ">" ? { above: true } : {}),
  };
}

/** Whether a shape is a condition on the value of a single field. */
export const isFieldShape = (shape: Shape): shape is FieldShape =>
  "field" in shape && shape.kind !== "words" && shape.kind !== "elements";

function mergeEqualities(shapes: readonly FieldShape[]): readonly FieldShape[] {
  const others = shapes.filter((each) => !isEquality(each));
  const lists = Map.groupBy(shapes.filter(isEquality), ({ fold = false }) => fold);
  return [...others, ...[...lists.values()].map(mergeValues)];
}

const isEquality = (shape: FieldShape): shape is ValuesShape =>
  shape.kind === "equal" || shape.kind === "any-of";

function mergeValues(shapes: readonly ValuesShape[]): ValuesShape {
  const [first] = shapes as readonly [ValuesShape, ...ValuesShape[]];
  if (shapes.length === 1) return first;
  const { field, fold = false } = first;
  const values = new Set(shapes.flatMap(valuesOf));
  return { kind: "any-of", field, fold, values: [...values] };
}

const valuesOf = (shape: ValuesShape): readonly Value[] =>
  shape.kind === "equal" ? [shape.value] : shape.values;
