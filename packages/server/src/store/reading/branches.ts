import { foldCase, type Predicate } from "@security-platform/fql";
import type { Layout } from "../rows/columns.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import { whereOf } from "../filters/filter-to-where.ts";
import { columnsFor, foldedOf, valueOf, type RowScope } from "../statements/read-values.ts";
import { conjunction, conjuncts, disjunction, shapeOf } from "../filters/shape.ts";
import type { Shape } from "../statements/shapes.ts";
import { deletedPart } from "../rows/soft-delete.ts";
import type { TrigramFields } from "./trigram-fields.ts";
import { inStoredFields, type Source } from "./sources.ts";

/** The part of a query that reads the records of one source. */
export interface Branch extends RowScope, Pick<Source, "fence" | "fields"> {
  /** Index of the source in the list of sources. */
  readonly place: number;
  /** Number of the last write that the query sees. */
  readonly snapshot: number;
  readonly conditions: readonly Shape[];
}

export interface BranchQuery {
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly now: string;
  readonly predicate: Predicate;
  /** Names of indexes of trigrams by field. */
  readonly trigrams: TrigramFields;
  /**
   * Whether expired records are read in a branch of their own, so that both compare plain columns. Needs
   * `Resource.expiry`.
   */
  readonly split: boolean;
}

/** One branch for each source that may have matching records; two if `split`. */
export function branchesOf(
  query: BranchQuery,
  sources: readonly Source[],
  snapshots: readonly number[],
): readonly Branch[] {
  const { layout, dialect, now, split } = query;
  const branches: Branch[] = [];
  for (const [place, source] of sources.entries()) {
    const shape = shapeFor(query, source);
    if (shape.kind === "none") continue;
    const { cid, fence, fields } = source;
    const conditions = [...conjuncts(shape), ...replacedConditions(source, sources, snapshots)];
    const snapshot = snapshots[place] ?? 0;
    const parts = { layout, dialect, now, cid, fence, fields, place, snapshot, conditions };
    for (const expired of split ? [false, true] : [null]) branches.push({ ...parts, expired });
  }
  return branches;
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
  const shapes: Shape[] = [shapeOf(predicate, query)];
  if (source.condition !== null) shapes.unshift(shapeOf(source.condition, query));
  if (query.layout.resource.softDelete === undefined) return conjunction(shapes);
  const deleted = deletedPart(predicate);
  if (deleted === predicate) return conjunction([...shapes, { kind: "readable" }]);
  // Last, because it holds for almost all records.
  const live = conjunction([...shapes, { kind: "live" }]);
  if (deleted.kind === "nothing") return live;
  const deletedShapes: Shape[] = [{ kind: "deleted" }, shapeOf(deleted, query)];
  if (source.condition !== null) deletedShapes.unshift(shapeOf(source.condition, query));
  return disjunction([live, conjunction(deletedShapes)]);
}

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

/** The complete `where` of a branch. */
export function branchWhere(branch: Branch): Sql {
  const conditions = branch.conditions.map((condition) => whereOf(condition, branch));
  return joinConditions([visibleVersions(branch), ...conditions], "and");
}
