import type { Predicate } from "@security-platform/fql";
import type { Layout } from "../rows/columns.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import { whereOf } from "../filters/filter-to-where.ts";
import { valueOf, columnsFor, type RowScope } from "../statements/read-values.ts";
import { both, conjuncts, either, shapeOf, type Shape, type ShapeScope } from "../filters/shape.ts";
import { deletedPart } from "../rows/soft-delete.ts";
import { inStoredFields, type Source } from "./sources.ts";

/** The part of a query that reads the records of one source. */
export interface Branch extends Pick<Source, "cid" | "fence" | "fields"> {
  /** Index of the source in the list of sources. */
  readonly place: number;
  /** Number of the last write that the query sees. */
  readonly snapshot: number;
  /** True: only expired records. False: only records that have not expired. Null: both. */
  readonly expired: boolean | null;
  readonly conditions: readonly Shape[];
}

export interface BranchQuery {
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly now: string;
  readonly predicate: Predicate;
  /** Read expired records in a separate branch, so that both branches compare plain columns. */
  readonly split: boolean;
}

/** One branch for each source that may have matching records; two if `split`. */
export function branchesOf(
  query: BranchQuery,
  sources: readonly Source[],
  snapshots: readonly number[],
): readonly Branch[] {
  const { split, layout } = query;
  return sources.flatMap((source, place) => {
    const shape = shapeFor(query, source);
    if (shape.kind === "none") return [];
    const { cid, fence, fields } = source;
    const snapshot = snapshots[place] ?? 0;
    const conditions = [...conjuncts(shape), ...replacedConditions(source, sources, snapshots)];
    const states = split && layout.resource.expiry !== undefined ? [false, true] : [null];
    return states.map((expired) => ({ place, cid, fence, fields, snapshot, conditions, expired }));
  });
}

/** Excludes records that the reader has replaced by its own. */
export function replacedConditions(
  { replacedBy }: Source,
  sources: readonly Source[],
  snapshots: readonly number[] | null,
): readonly Shape[] {
  const own = replacedBy === null ? undefined : sources[replacedBy];
  if (own === undefined || replacedBy === null) return [];
  const snapshot = snapshots === null ? null : (snapshots[replacedBy] ?? 0);
  return [{ kind: "not-replaced", cid: own.cid, snapshot }];
}

/** The conditions on the source's records. Includes deleted records if the predicate asks for them. */
function shapeFor(query: BranchQuery, source: Source): Shape {
  const predicate = inStoredFields(query.predicate, source);
  const shape = matchingShape(query, predicate);
  return source.condition === null ? shape : both([shapeOf(source.condition, query), shape]);
}

function matchingShape(scope: ShapeScope, predicate: Predicate): Shape {
  const shape = shapeOf(predicate, scope);
  if (scope.layout.resource.softDelete === undefined) return shape;
  const deletedPredicate = deletedPart(predicate);
  if (deletedPredicate === predicate) return both([{ kind: "readable" }, shape]);
  const live = both([{ kind: "live" }, shape]);
  if (deletedPredicate.kind === "nothing") return live;
  return either([live, both([{ kind: "deleted" }, shapeOf(deletedPredicate, scope)])]);
}

export const scopeOf = (
  { layout, dialect, now }: Pick<BranchQuery, "layout" | "dialect" | "now">,
  { expired, cid }: Branch,
): RowScope => ({ layout, dialect, now, expired, cid });

/** The value of a non-array field in a row of the branch. */
export function branchValue(field: string, { fields }: Branch, scope: RowScope): Sql {
  const value = fields.get(field);
  if (value === undefined) return valueOf(columnsFor(field, scope), scope);
  const literal = (of: string | boolean) =>
    typeof of === "boolean" ? scope.dialect.boolean(of) : sql.literal(of);
  switch (value.kind) {
    case "constant":
      return value.value === null ? sql`null` : literal(value.value);
    case "choice":
      return sql`case when ${whereOf(shapeOf(value.when, scope), scope)}
        then ${literal(value.value)} else ${literal(value.otherwise)} end`;
    case "elements":
      throw new RangeError(`${field} has several values`);
  }
}

/** Selects the versions of one source that the snapshot sees, before any filter. */
export function visible({ cid, snapshot, expired }: Branch, { now, dialect }: RowScope): Sql {
  const { whileInTime } = dialect;
  const versions = sql`t.cid = ${cid} and t.valid_from <= ${snapshot}
    and (t.valid_to is null or t.valid_to > ${snapshot})
    ${whileInTime === null ? sql`` : sql`and ${whileInTime(sql`t.row`)}`}`;
  if (expired === null) return versions;
  return expired
    ? sql`${versions} and t.turns_at <= ${now}`
    : sql`${versions} and (t.turns_at is null or t.turns_at > ${now})`;
}

/** The complete `where` of a branch. */
export function branchWhere(branch: Branch, scope: RowScope): Sql {
  const conditions = branch.conditions.map((condition) => whereOf(condition, scope));
  return joinConditions([visible(branch, scope), ...conditions], "and");
}
