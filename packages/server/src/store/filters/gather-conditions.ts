import type { Bindable } from "../dialects/dialect.ts";
import { withPairs } from "./gather-pairs.ts";
import { boundsOf, combined, shapesOf } from "./intervals.ts";
import { Parameter, planKey } from "../statements/plan-key.ts";
import type { ElementShape, FieldShape, Shape, ShapeScope } from "../statements/shapes.ts";

/** Minimum number of conditions on one field that are replaced by one condition. */
const many = 8;

type Kind = "and" | "or";

/**
 * Replaces many conditions on the same field by one: a list of values, or one condition that reads the
 * elements of an array once. Otherwise, each condition on an array would read its elements again.
 */
export function gathered(kind: Kind, parts: readonly Shape[], scope: ShapeScope): readonly Shape[] {
  const flat = parts.flatMap((each) => (each.kind === kind ? each.operands : [each]));
  if (flat.length < many) return flat;
  const operands = withoutRepeats(flat);
  const negated = operands.flatMap((each) => (each.kind === "not" ? [each.operand] : []));
  const positive = operands.filter((each) => each.kind !== "not");
  // "not a and not b" is "not (a or b)", and "not a or not b" is "not (a and b)".
  const other = gatherFields(kind === "and" ? "or" : "and", negated, scope);
  return [
    ...gatherFields(kind, positive, scope),
    ...(other.length < negated.length
      ? [{ kind: "not", operand: joined(kind === "and" ? "or" : "and", other) } as const]
      : operands.filter((each) => each.kind === "not")),
  ];
}

/** Removes conditions that equal an earlier one. */
function withoutRepeats(conditions: readonly Shape[]): readonly Shape[] {
  const byKey = new Map<string, Shape>();
  for (const condition of conditions) {
    const values: Bindable[] = [];
    const key = planKey(condition, values) + JSON.stringify(values);
    if (!byKey.has(key)) byKey.set(key, condition);
  }
  return [...byKey.values()];
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
    const { others, ordered } = withBounds(kind, group.filter(isOfField), array, scope);
    if (kind === "and") {
      if (ordered.some((each) => each.kind === "none")) return ordered;
      return [...ordered, ...(array ? withAllOf(others) : withOneValue(others))];
    }
    const fewer = withLists([...ordered.filter(isOfField), ...others]);
    return array && fewer.length > 1
      ? [{ kind: "elements", every: false, field, of: fewer } satisfies ElementShape]
      : fewer;
  });
}

/** Whether a shape is a condition on the value of a single field. */
export const isOfField = (shape: Shape): shape is FieldShape =>
  "field" in shape &&
  shape.kind !== "words" &&
  shape.kind !== "elements" &&
  shape.kind !== "all-of";

interface Ordered {
  /** A small number of conditions that replace the ranges of values. */
  readonly ordered: readonly Shape[];
  readonly others: readonly FieldShape[];
}

/**
 * Unites the ranges of values if one of the conditions must hold, or intersects them if all must hold. On an
 * array, conditions that must all hold may hold for different elements, so only the strictest condition of
 * each operator is kept.
 */
function withBounds(
  kind: Kind,
  leaves: readonly FieldShape[],
  array: boolean,
  { dialect }: ShapeScope,
): Ordered {
  const ordered: Shape[] = [];
  const others: FieldShape[] = [];
  for (const group of Map.groupBy(leaves, (each) => domainOf(each, kind, array)).values()) {
    const sets = group.map(boundsOf);
    const [first] = group;
    if (first === undefined || domainOf(first, kind, array) === null || sets.length < 2) {
      others.push(...group);
      continue;
    }
    const bounds = combined(
      kind,
      sets.filter((each) => each !== null),
    );
    const { field } = first;
    const fold = "fold" in first && first.fold === true;
    const most = dialect.within === null ? group.length : many;
    const shapes = shapesOf(bounds, { field, fold, most });
    if (shapes !== null) ordered.push(...(kind === "or" ? shapes : [eitherOf(shapes)]));
    else if (dialect.within === null) others.push(...group);
    else ordered.push({ kind: "intervals", field, fold, bounds: new Parameter(bounds) });
  }
  return { ordered, others };
}

const eitherOf = (shapes: readonly FieldShape[]): Shape =>
  shapes.length === 0 ? { kind: "none" } : joined("or", shapes);

/** Conditions with the same domain compare the same values. Null for conditions that are not ranges. */
function domainOf(leaf: FieldShape, kind: Kind, array: boolean): string | null {
  if (boundsOf(leaf) === null) return null;
  const compares = leaf.kind === "compare" ? leaf.operator : "";
  if (array && kind === "and") return compares === "" ? null : compares;
  const fold = "fold" in leaf && leaf.fold === true;
  // The index of elements holds only a part of a long text. Conditions of order compare the full text.
  return `${fold} ${array && compares !== ""}`;
}

/**
 * Conditions on one value, all of which must hold. The value equals at most one text. To plan a query, the
 * engines compare each condition with all others, which takes seconds; `not` prevents this.
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

/** Conditions on one array, all of which must hold. Those on single values become one condition on a list. */
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
  // The first condition rules out most records at the cost of one comparison.
  const rest: readonly Shape[] =
    of.length > 1 ? [first, { kind: "elements", every: true, field: first.field, of }] : [first];
  return [...shapes, ...rest];
}

/** Conditions on one field, one of which must hold. Those on single values become one condition on a list. */
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
