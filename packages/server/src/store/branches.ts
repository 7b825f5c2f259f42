import type { Predicate } from "@security-platform/fql";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Layout } from "./columns.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { Parameter } from "./plan-key.ts";
import { whereOf, type RowScope } from "./filter-to-where.ts";
import { both, conjuncts, either, shapeOf, type Shape, type ShapeScope } from "./shape.ts";
import { deletedAskedFor } from "./soft-delete.ts";
import { bind } from "./statements.ts";
import type { Owner } from "./view.ts";

/** The records of one tenant that a query looks at, as plain data: part of a statement's key. */
export interface Branch {
  /** Place of the tenant among those in sight. */
  readonly tenant: number;
  readonly inherited: boolean;
  /** The tenant that sees some of the platform's records. */
  readonly audience: Parameter | null;
  readonly cid: Parameter;
  /** Number of the last write that the query sees. */
  readonly snapshot: Parameter;
  /** Only records that have turned by now, only those that have not, or both. */
  readonly turned: boolean | null;
  readonly conditions: readonly Shape[];
}

export interface BranchQuery {
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly now: Parameter<string>;
  readonly predicate: Predicate;
  /** Look at turned and other records apart, so that each has plain columns. */
  readonly split: boolean;
}

/** One branch for each tenant that may have matching records, or two where they are split. */
export function branchesOf(
  query: BranchQuery,
  owners: readonly Owner[],
  snapshots: readonly number[],
): readonly Branch[] {
  const { split, layout } = query;
  return owners.flatMap((owner, tenant) => {
    const inherited = owner.ancestor !== null;
    const shape = shapeFor(query, owner);
    if (shape.kind === "none") return [];
    const branch = {
      tenant,
      inherited,
      audience: owner.audience === undefined ? null : new Parameter(owner.audience),
      cid: new Parameter(owner.cid),
      snapshot: new Parameter(snapshots[tenant] ?? 0),
      conditions: conjuncts(shape),
    };
    const turns = split && layout.resource.turn !== undefined ? [false, true] : [null];
    return turns.map((turned) => ({ ...branch, turned }));
  });
}

/** What the tenant's records must satisfy, deleted ones included where the predicate asks for them. */
function shapeFor(query: BranchQuery, { ancestor, audience }: Owner): Shape {
  const { resource } = query.layout;
  const field = resource.inherited?.field;
  const scope: ShapeScope = {
    ...query,
    ...(field === undefined ? {} : { constant: { field, value: ancestor !== null } }),
  };
  const shape = matchingShape(query, scope);
  if (resource.audience === undefined || audience === undefined) return shape;
  const equal = { kind: "equal", field: resource.audience, value: audience, fold: false } as const;
  return both([shapeOf(equal, scope), shape]);
}

function matchingShape({ layout, predicate }: BranchQuery, scope: ShapeScope): Shape {
  const shape = shapeOf(predicate, scope);
  if (layout.resource.softDelete === undefined) return shape;
  const asked = deletedAskedFor(predicate);
  if (asked === predicate) return both([{ kind: "readable" }, shape]);
  const live = both([{ kind: "live" }, shape]);
  if (asked.kind === "nothing") return live;
  return either([live, both([{ kind: "deleted" }, shapeOf(asked, scope)])]);
}

export function scopeOf(
  { layout, dialect, now }: Pick<BranchQuery, "layout" | "dialect" | "now">,
  { turned, cid }: Branch,
): RowScope {
  return { layout, dialect, now, turned, cid };
}

/** The versions that the snapshot sees, of one tenant, before any filter. */
export function visible({ cid, snapshot, turned }: Branch, { now }: RowScope): RawBuilder<SqlBool> {
  const versions = sql<SqlBool>`t.cid = ${bind(cid)} and t.valid_from <= ${bind(snapshot)}
    and (t.valid_to is null or t.valid_to > ${bind(snapshot)})`;
  if (turned === null) return versions;
  return turned
    ? sql`${versions} and t.turns_at <= ${bind(now)}`
    : sql`${versions} and (t.turns_at is null or t.turns_at > ${bind(now)})`;
}

/** The whole `where` of a branch. */
export function branchWhere(branch: Branch, scope: RowScope): RawBuilder<SqlBool> {
  const conditions = branch.conditions.map((condition) => whereOf(condition, scope));
  return sql`${sql.join([visible(branch, scope), ...conditions], sql` and `)}`;
}
