import type { Bindable } from "./dialects/dialect.ts";
import { withPairs } from "./gather-pairs.ts";
import { Parameter } from "./plan-key.ts";
import type { ElementShape, FieldShape, Shape, ShapeScope } from "./shapes.ts";

/** From so many conditions on one field on, one condition takes their place. */
const many = 8;

type Kind = "and" | "or";

/**
 * Puts one condition in the place of many on the same field: a list of values, or one look at the
 * elements of an array. Each of many conditions on an array would look at them by itself.
 */
export function gathered(kind: Kind, parts: readonly Shape[], scope: ShapeScope): readonly Shape[] {
  const operands = parts.flatMap((each) => (each.kind === kind ? each.operands : [each]));
  if (operands.length < many) return operands;
  const negated = operands.flatMap((each) => (each.kind === "not" ? [each.operand] : []));
  const positive = operands.filter((each) => each.kind !== "not");
  // not a and not b: not (a or b). Both are true unless one is.
  const other = gatherFields(kind === "and" ? "or" : "and", negated, scope);
  return [
    ...gatherFields(kind, positive, scope),
    ...(other.length < negated.length
      ? [{ kind: "not", operand: joined(kind === "and" ? "or" : "and", other) } as const]
      : operands.filter((each) => each.kind === "not")),
  ];
}

function joined(kind: Kind, operands: readonly Shape[]): Shape {
  const [only] = operands;
  return operands.length === 1 && only !== undefined ? only : { kind, operands };
}

function gatherFields(
  kind: Kind,
  conditions: readonly Shape[],
  scope: ShapeScope,
): readonly Shape[] {
  const { layout } = scope;
  const operands = kind === "or" ? withPairs(conditions, scope, many) : conditions;
  const groups = Map.groupBy(operands, (each) => (isOfField(each) ? each.field : null));
  return [...groups].flatMap(([field, group]): readonly Shape[] => {
    if (field === null || group.length < many) return group;
    const array = layout.fields.get(field)?.field.array === true;
    const leaves = group.filter(isOfField);
    if (kind === "and") return array ? withAllOf(leaves) : withOneValue(leaves);
    const fewer = withLists(leaves);
    return array && fewer.length > 1
      ? [{ kind: "elements", every: false, field, of: fewer } satisfies ElementShape]
      : fewer;
  });
}

/** Whether a shape is a condition on the value of one field, and on nothing else. */
export const isOfField = (shape: Shape): shape is FieldShape =>
  "field" in shape &&
  shape.kind !== "words" &&
  shape.kind !== "elements" &&
  shape.kind !== "all-of";

/**
 * Conditions on one value, all of which must hold. It equals one text at most; and the engines compare each
 * condition with all others to plan a query, which takes them seconds, unless `not` hides them.
 */
function withOneValue(leaves: readonly FieldShape[]): readonly Shape[] {
  const shapes: Shape[] = [];
  for (const fold of [false, true]) {
    const equal = leaves.filter((leaf) => leaf.kind === "equal" && leaf.fold === fold);
    const values = new Set(
      equal.flatMap((leaf) => (leaf.kind === "equal" ? listOf(leaf.value) : [])),
    );
    if (values.size > 1) return [{ kind: "none" }];
    shapes.push(...equal.slice(0, 1));
  }
  const [first, ...rest] = leaves.filter(({ kind }) => kind !== "equal");
  if (first === undefined) return shapes;
  shapes.push(first);
  if (rest.length < many) return [...shapes, ...rest];
  const hidden: Shape = { kind: "not", operand: { kind: "and", operands: rest } };
  return [...shapes, { kind: "not", operand: hidden }];
}

/** Conditions on one array, all of which must hold: those on single values become one on a list. */
function withAllOf(leaves: readonly FieldShape[]): readonly Shape[] {
  const shapes: Shape[] = [];
  for (const fold of [false, true]) {
    const values = leaves.flatMap((leaf) =>
      leaf.kind === "equal" && leaf.fold === fold ? listOf(leaf.value) : [],
    );
    const [first] = leaves;
    if (values.length === 0 || first === undefined) continue;
    const { field } = first;
    const distinct = [...new Set(values)];
    const count = new Parameter(distinct.length);
    shapes.push({ kind: "all-of", field, fold, values: new Parameter(distinct), count });
  }
  const of = leaves.filter(({ kind }) => kind !== "equal");
  const [first] = of;
  if (first === undefined) return shapes;
  // The first of them rules out most records at the cost of one.
  const rest: readonly Shape[] =
    of.length > 1 ? [first, { kind: "elements", every: true, field: first.field, of }] : [first];
  return [...shapes, ...rest];
}

/** Conditions on one field, of which one must hold: those on single values become one on a list. */
function withLists(leaves: readonly FieldShape[]): readonly FieldShape[] {
  return [false, true].flatMap((fold) => {
    const values: (string | number | boolean)[] = [];
    const others: FieldShape[] = [];
    for (const leaf of leaves) {
      if (("fold" in leaf && leaf.fold === true) !== fold) continue;
      if (leaf.kind === "equal") values.push(...listOf(leaf.value));
      else if (leaf.kind === "any-of") values.push(...listOf(leaf.values));
      else others.push(leaf);
    }
    const [first] = leaves;
    if (values.length === 0 || first === undefined) return others;
    const { field } = first;
    return [
      { kind: "any-of", field, fold, values: new Parameter([...new Set(values)]) },
      ...others,
    ];
  });
}

const listOf = ({ value }: Parameter): readonly (string | number | boolean)[] =>
  [value as Exclude<Bindable, null>].flat() as (string | number | boolean)[];
