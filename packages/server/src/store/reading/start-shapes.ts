import type { Branch } from "./branches.ts";
import {
  isFieldShape,
  usesTrigrams,
  type FieldShape,
  type LeafShape,
  type Shape,
  type StartShape,
} from "../statements/shapes.ts";

/** Where the engine starts: in the order of the page, from the known rows, or where it chooses itself. */
export type Start =
  | { readonly kind: "rows" | "any" }
  | {
      readonly kind: "order";
      /**
       * Another start, for a page that is not full after so many steps along its order: the matches may all be at its end,
       * such as the oldest records.
       */
      readonly otherwise?: { readonly start: Start; readonly steps: number };
    }
  | ConditionStart
  /** From the condition, whose matches are read in the order of their rows until the page is full. */
  | { readonly kind: "in-order"; readonly condition: FieldShape };

/** From the condition, by what finds its versions. */
export interface ConditionStart {
  readonly kind: "condition";
  readonly condition: Shape;
  readonly from: StartShape;
  /**
   * Other conditions, which are checked before the rows are read: SQLite looks each version up in their indexes, and
   * PostgreSQL reads all versions that they find. Absent: none.
   */
  readonly also?: readonly FieldShape[];
}

/**
 * The condition itself, if it has an index. For alternatives with an index each: conditions that find their versions, and
 * perhaps others. Null: every record has to be read.
 */
export function startShapeOf(condition: Shape, branch: Branch): StartShape | null {
  if (isIndexed(condition, branch)) return condition;
  const alternatives = alternativesOf(condition);
  // SQLite starts only from a simple select.
  if (alternatives === null || branch.dialect.engine !== "postgres") return null;
  const operands: LeafShape[] = [];
  for (const each of alternatives) {
    const start = startOfAlternative(each, branch);
    if (start === null) return null;
    operands.push(...(start.kind === "or" ? start.operands : [start]));
  }
  return { kind: "or", operands };
}

function startOfAlternative(alternative: Shape, branch: Branch): StartShape | null {
  if (alternative.kind !== "and") return startShapeOf(alternative, branch);
  const starts = alternative.operands.flatMap((each) => startShapeOf(each, branch) ?? []);
  return starts.toSorted((one, other) => commonness(one) - commonness(other))[0] ?? null;
}

function alternativesOf(condition: Shape): readonly Shape[] | null {
  if (condition.kind === "elements") return condition.of;
  return condition.kind === "or" ? condition.operands : null;
}

/** A guess at how many records a condition finds, because counting each would cost more than it saves. */
function commonness(condition: StartShape): number {
  if (condition.kind === "or") return Math.max(...condition.operands.map(commonness));
  if (condition.kind === "words" || usesTrigrams(condition)) return 0;
  const { field } = condition.columns;
  if (field.values !== undefined || field.derive !== undefined) return 3;
  return field.array === true ? 2 : 1;
}

/** Whether the start is one condition on a column, which both engines combine well with others. */
export const isInColumns = (start: StartShape): boolean =>
  isFieldShape(start) && !usesTrigrams(start) && start.columns.field.array !== true;

function isIndexed(condition: Shape, { layout, expired }: Branch): condition is LeafShape {
  if (condition.kind === "words" || usesTrigrams(condition)) return true;
  if (!isFieldShape(condition) || condition.kind === "present" || condition.kind === "text") {
    return false;
  }
  const { columns } = condition;
  if (columns.expires && expired === null) return false;
  if (condition.kind === "glob" && condition.range === null) return false;
  const folded = "fold" in condition && condition.fold;
  if (columns.field.array === true) {
    if (folded) return condition.kind === "equal" && condition.short === true;
    return columns.type !== "number" && condition.kind !== "compare";
  }
  if (!layout.indexed.has(columns.name)) return columns.column === "id" && !folded;
  return !folded || columns.field.case === "insensitive";
}

/** Whether `Dialect.whileInTime` ends a statement over the branch. */
export function endsInTime({ conditions }: Branch, start: Start): boolean {
  const from = start.kind === "condition" ? start.condition : null;
  const startsFromElements =
    from !== null && "columns" in from && from.columns.field.array === true;
  return !startsFromElements && !conditions.some(usesWords);
}

function usesWords(shape: Shape): boolean {
  if (shape.kind === "and" || shape.kind === "or") return shape.operands.some(usesWords);
  return shape.kind === "not" ? usesWords(shape.operand) : shape.kind === "words";
}
