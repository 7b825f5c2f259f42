import type { Predicate } from "@security-platform/fql";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Layout } from "../rows/columns.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import { Parameter } from "../statements/plan-key.ts";
import { whereOf } from "../filters/filter-to-where.ts";
import { valueOf, columnsFor, type RowScope } from "../statements/read-values.ts";
import { both, conjuncts, either, shapeOf, type Shape, type ShapeScope } from "../filters/shape.ts";
import { deletedPart } from "../rows/soft-delete.ts";
import { inStoredFields, type Source } from "./sources.ts";
import { bind } from "../statements/statements.ts";

/** The part of a query's plan that reads the records of one source. */
export interface Branch {
  /** Index of the source in the list of sources. */
  readonly place: number;
  readonly cid: Parameter<string>;
  /** Number of the last write that the query sees. */
  readonly snapshot: Parameter<number>;
  /** True: only expired records. False: only records that have not expired. Null: both. */
  readonly expired: boolean | null;
  readonly conditions: readonly Shape[];
  /** The reader-dependent values of the fields that the query reads. */
  readonly readerValues: { readonly [field: string]: ReaderValue };
}

/** A field's value that depends on the reader. */
export type ReaderValue =
  | { readonly kind: "constant"; readonly value: string | boolean | null }
  | {
      readonly kind: "choice";
      readonly when: Shape;
      readonly value: string | boolean;
      readonly otherwise: string | boolean;
    }
  | {
      readonly kind: "elements";
      readonly of: string;
      readonly among: Parameter<readonly string[]>;
      readonly or: string | null;
    };

export interface BranchQuery {
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly now: Parameter<string>;
  readonly predicate: Predicate;
  /** Fields whose values the query reads. */
  readonly values: readonly string[];
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
    const branch = {
      place,
      cid: new Parameter(source.cid),
      snapshot: new Parameter(snapshots[place] ?? 0),
      conditions: [...conjuncts(shape), ...replacedConditions(source, sources, snapshots)],
      readerValues: readerValuesOf(query, source),
    };
    const states = split && layout.resource.expiry !== undefined ? [false, true] : [null];
    return states.map((expired) => ({ ...branch, expired }));
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
  const snapshot = snapshots === null ? null : new Parameter(snapshots[replacedBy] ?? 0);
  return [{ kind: "not-replaced", cid: new Parameter(own.cid), snapshot }];
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

function readerValuesOf(query: BranchQuery, { fields }: Source): Branch["readerValues"] {
  if (fields.size === 0) return {};
  const values: { [field: string]: ReaderValue } = {};
  for (const name of query.values) {
    const field = fields.get(name);
    if (field === undefined) continue;
    if (field.kind === "choice") values[name] = { ...field, when: shapeOf(field.when, query) };
    else if (field.kind === "constant") values[name] = field;
    else {
      const { kind, of, among, or = null } = field;
      values[name] = { kind, of, among: new Parameter(among), or };
    }
  }
  return values;
}

export function scopeOf(
  { layout, dialect, now }: Pick<BranchQuery, "layout" | "dialect" | "now">,
  { expired, cid }: Branch,
): RowScope {
  return { layout, dialect, now, expired, cid };
}

/** The value of a non-array field in a row of the branch. */
export function branchValue(
  field: string,
  { readerValues }: Branch,
  scope: RowScope,
): RawBuilder<unknown> {
  const value = readerValues[field];
  if (value === undefined) return valueOf(columnsFor(field, scope), scope);
  const literal = (of: string | boolean) =>
    typeof of === "boolean" ? scope.dialect.boolean(of) : sql`${sql.lit(of)}`;
  switch (value.kind) {
    case "constant":
      return value.value === null ? sql`null` : literal(value.value);
    case "choice":
      return sql`case when ${whereOf(value.when, scope)}
        then ${literal(value.value)} else ${literal(value.otherwise)} end`;
    case "elements":
      throw new RangeError(`${field} has several values`);
  }
}

/** Selects the versions of one source that the snapshot sees, before any filter. */
export function visible(
  { cid, snapshot, expired }: Branch,
  { now, dialect }: RowScope,
): RawBuilder<SqlBool> {
  const versions = sql<SqlBool>`t.cid = ${bind(cid)} and t.valid_from <= ${bind(snapshot)}
    and (t.valid_to is null or t.valid_to > ${bind(snapshot)}) ${whileInTime(dialect)}`;
  if (expired === null) return versions;
  return expired
    ? sql`${versions} and t.turns_at <= ${bind(now)}`
    : sql`${versions} and (t.turns_at is null or t.turns_at > ${bind(now)})`;
}

/** The last part of a `where`, for statements that may read many rows of the table `t`. */
function whileInTime(dialect: Dialect): RawBuilder<unknown> {
  return dialect.whileInTime === null ? sql`` : sql`and ${dialect.whileInTime(sql`t.row`)}`;
}

/** The complete `where` of a branch. */
export function branchWhere(branch: Branch, scope: RowScope): RawBuilder<SqlBool> {
  const conditions = branch.conditions.map((condition) => whereOf(condition, scope));
  return joinConditions([visible(branch, scope), ...conditions], "and");
}
