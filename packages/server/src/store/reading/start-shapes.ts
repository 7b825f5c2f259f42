import type { Branch } from "./branches.ts";
import { usesTrigrams } from "../filters/filter-to-where.ts";
import { columnsFor } from "../statements/read-values.ts";
import type { LeafShape, Shape } from "../statements/shapes.ts";

/** What the engine can start from to find the versions of a condition. */
export type StartShape =
  LeafShape | { readonly kind: "or"; readonly operands: readonly LeafShape[] };

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
  const [best] = starts.toSorted(
    (one, other) => commonness(one, branch) - commonness(other, branch),
  );
  return best ?? null;
}

function alternativesOf(condition: Shape): readonly Shape[] | null {
  if (condition.kind === "elements") return condition.of;
  return condition.kind === "or" ? condition.operands : null;
}

/** A guess at how many records a condition finds, because counting each would cost more than it saves. */
function commonness(condition: StartShape, branch: Branch): number {
  if (condition.kind === "or") {
    return Math.max(...condition.operands.map((each) => commonness(each, branch)));
  }
  if (condition.kind === "words" || usesTrigrams(condition)) return 0;
  const { field } = columnsFor(condition.field, branch);
  if (field.values !== undefined || field.derive !== undefined) return 3;
  return field.array === true ? 2 : 1;
}

/** Whether the start is one condition on a column, which both engines combine well with others. */
export const isInColumns = (start: StartShape, branch: Branch): boolean =>
  start.kind !== "or" &&
  start.kind !== "words" &&
  !usesTrigrams(start) &&
  columnsFor(start.field, branch).field.array !== true;

function isIndexed(condition: Shape, branch: Branch): condition is LeafShape {
  const { layout, expired } = branch;
  if (!("field" in condition) || condition.kind === "present" || condition.kind === "text") {
    return false;
  }
  if (condition.kind === "elements") return false;
  if (condition.kind === "words" || usesTrigrams(condition)) return true;
  const columns = columnsFor(condition.field, branch);
  if (columns.expires && expired === null) return false;
  if (condition.kind === "glob" && condition.range === null) return false;
  const folded = "fold" in condition && condition.fold;
  if (columns.field.array === true) {
    if (folded) return condition.kind === "equal" && condition.short === true;
    return columns.type !== "number" && condition.kind !== "compare";
  }
  if (!layout.indexed.has(condition.field)) return columns.column === "id" && !folded;
  return !folded || columns.field.case === "insensitive";
}
