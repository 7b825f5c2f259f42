import { foldCase } from "@security-platform/fql";
import type { Branch } from "./branches.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { findsRows, whereFrom, whereOf } from "../filters/filter-to-where.ts";
import { shapeOf } from "../filters/shape.ts";
import { isFound, isSeen } from "./in-indexes.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import { columnsFor, foldedOf, valueOf } from "../statements/read-values.ts";
import type { Shape } from "../statements/shapes.ts";
import type { ConditionStart, Start } from "./start-shapes.ts";

/** The complete `where` of a branch. */
export function branchWhere(branch: Branch, start: Start = { kind: "any" }): Sql {
  const conditions = branch.conditions.map((each) => conditionOf(each, start, branch));
  return joinConditions([visibleVersions(branch), ...conditions], "and");
}

/** Selects the versions of one source that the snapshot sees, before any filter. */
export function visibleVersions({ cid, snapshot, expired, now, dialect }: Branch): Sql {
  const { whileInTime } = dialect;
  const versions = sql`t.cid = ${cid} and t.valid_from <= ${snapshot}
    and (t.valid_to is null or t.valid_to > ${snapshot})
    ${whileInTime === null ? sql`` : sql`and ${whileInTime(sql`t.row`)}`}`;
  if (expired === null) return versions;
  return expired
    ? sql`${versions} and t.turns_at <= ${now}`
    : sql`${versions} and (t.turns_at is null or t.turns_at > ${now})`;
}

/** A condition in the form that fits the engine's start. */
export function conditionOf(condition: Shape, start: Start, branch: Branch): Sql {
  if (start.kind !== "order" && start.kind !== "condition") return whereOf(condition, branch);
  const whole = hiddenFromPlanner(whereOf(condition, branch), branch);
  if (start.kind !== "condition" || start.condition !== condition) return whole;
  const also = alsoConditions(start, branch);
  const found = whereFrom(start.from, branch, also);
  const isSettled = start.from === condition && (also.length === 0 || !findsRows(branch.dialect));
  return isSettled ? found : sql`${found} and ${whole}`;
}

/** Conditions on a version `f`, which are checked before its row is read. */
function alsoConditions({ also = [] }: ConditionStart, branch: Branch): readonly Sql[] {
  if (also.length === 0) return [];
  const { engine, whileInTime } = branch.dialect;
  const conditions = also.map((each) =>
    engine === "sqlite" ? isSeen(each, branch) : isFound(each, branch),
  );
  // All of these looks come before the first row, which checks the time.
  return whileInTime === null ? conditions : [whileInTime(sql`f.row`), ...conditions];
}

/**
 * Hides a condition from the planner: no index can serve it, and the planner assumes that half of the rows
 * match.
 */
export const hiddenFromPlanner = (condition: Sql, { dialect }: Branch): Sql =>
  sql`case when ${condition} then ${dialect.boolean(true)} else ${dialect.boolean(false)} end`;

/** The value of a non-array field in a row of the branch. */
export function branchValue(field: string, branch: Branch): Sql {
  const value = branch.fields.get(field);
  if (value === undefined) return valueOf(columnsFor(field, branch), branch);
  const literal = (of: string | boolean) =>
    typeof of === "boolean" ? branch.dialect.boolean(of) : sql.literal(of);
  switch (value.kind) {
    case "constant":
      return value.value === null ? sql`null` : literal(value.value);
    case "choice":
      return sql`case when ${whereOf(shapeOf(value.when, branch), branch)}
        then ${literal(value.value)} else ${literal(value.otherwise)} end`;
    case "elements":
      throw new RangeError(`${field} has several values`);
  }
}

/** The value of `branchValue`, a text, without regard to case. */
export function foldedBranchValue(field: string, branch: Branch): Sql {
  const value = branch.fields.get(field);
  if (value === undefined) return foldedOf(columnsFor(field, branch), branch);
  return value.kind === "constant" && typeof value.value === "string"
    ? sql.literal(foldCase(value.value))
    : branchValue(field, branch);
}
