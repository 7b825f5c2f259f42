import type { Layout } from "../rows/columns.ts";
import { Parameter } from "../statements/plan-key.ts";
import type {
  CollectedField,
  FieldShape,
  PairsShape,
  Shape,
  ShapeScope,
} from "../statements/shapes.ts";

type Equal = Extract<FieldShape, { kind: "equal" }>;

/** Two values that must both be elements, and their fields. */
interface Pair {
  readonly left: CollectedField;
  readonly right: CollectedField;
  readonly values: readonly [string, string];
}

/** A text that is different for each pair. `pairKey` in filter-to-where.ts is the same in SQL. */
const keyOf = ([left, right]: readonly [string, string]): string =>
  `${[...left].length}:${left}${right}`;

/**
 * Replaces alternatives that each require two texts in arrays, `(tags:'a'+tags:'b'),(tags:'c'+tags:'d'),…`,
 * by one condition, which looks up the pairs of a row's elements in the list of pairs. Needs at least `many`
 * alternatives on the same fields.
 */
export function withPairs(
  alternatives: readonly Shape[],
  { layout }: ShapeScope,
  many: number,
): readonly Shape[] {
  const pairs = new Map(
    alternatives.flatMap((each) => {
      const pair = pairOf(each, layout);
      return pair === null ? [] : [[each, pair] as const];
    }),
  );
  const groups = Map.groupBy(pairs.keys(), (each) => groupOf(pairs.get(each)));
  const large = [...groups.values()].filter(({ length }) => length >= many);
  if (large.length === 0) return alternatives;
  const gathered = new Set(large.flat());
  return [
    ...large.flatMap((group) => shapeOf(group.flatMap((each) => pairs.get(each) ?? []))),
    ...alternatives.filter((each) => !gathered.has(each)),
  ];
}

function shapeOf(pairs: readonly Pair[]): readonly PairsShape[] {
  const [first] = pairs;
  if (first === undefined) return [];
  const { left, right } = first;
  const lefts = new Set(pairs.map(({ values }) => values[0]));
  const keys = new Set(pairs.map(({ values }) => keyOf(values)));
  return [
    {
      kind: "pairs",
      left,
      right,
      lefts: new Parameter([...lefts]),
      pairs: new Parameter([...keys]),
    },
  ];
}

function pairOf(shape: Shape, layout: Layout): Pair | null {
  if (shape.kind !== "and") return null;
  const [one, other, ...more] = shape.operands;
  if (one === undefined || other === undefined || more.length > 0) return null;
  if (!isText(one, layout) || !isText(other, layout)) return null;
  const [left, right] = place(one) <= place(other) ? [one, other] : [other, one];
  return {
    left: { field: left.field, fold: left.fold },
    right: { field: right.field, fold: right.fold },
    values: [String(left.value.value), String(right.value.value)],
  };
}

/** Whether a shape requires a text in an array. */
function isText(shape: Shape, layout: Layout): shape is Equal {
  if (shape.kind !== "equal") return false;
  const columns = layout.fields.get(shape.field);
  return columns?.field.array === true && columns.type !== "number";
}

const place = ({ field, fold }: CollectedField): string => `${field} ${fold}`;

const groupOf = (pair: Pair | undefined): string =>
  pair === undefined ? "" : `${place(pair.left)} ${place(pair.right)}`;
