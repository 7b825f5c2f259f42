import { where, type Predicate } from "@security-platform/fql";
import type { Layout } from "../rows/columns.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { RowScope } from "../statements/read-values.ts";
import { allOf, anyOf, conjuncts, shapeOf } from "../filters/shape.ts";
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
  const shape = visibleShape(predicate, query, source);
  if (query.layout.resource.softDelete === undefined) return shape;
  const deleted = deletedPart(predicate);
  if (deleted === predicate) return allOf([shape, { kind: "readable" }]);
  const live = allOf([shape, { kind: "live" }]);
  if (deleted.kind === "nothing") return live;
  return anyOf([live, allOf([visibleShape(deleted, query, source), { kind: "deleted" }])]);
}

const visibleShape = (predicate: Predicate, query: BranchQuery, { condition }: Source): Shape =>
  shapeOf(condition === null ? predicate : where.all(condition, predicate), query);
