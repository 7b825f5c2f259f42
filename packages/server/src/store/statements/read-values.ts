import {
  afterSuffix,
  foldSuffix,
  textSuffix,
  type FieldColumns,
  type Layout,
} from "../rows/columns.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";

/** The rows that a condition applies to: versions of records with the alias `t`. */
export interface RowScope {
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly cid: string;
  readonly now: string;
  /** Whether the rows have expired: all (true), none (false), or those whose `turns_at` is past (null). */
  readonly expired: boolean | null;
}

export const elementType = ({ type }: FieldColumns): "number" | "text" =>
  type === "number" ? "number" : "text";

export const elementValue = (columns: FieldColumns, fold: boolean): Sql =>
  fold
    ? sql`coalesce(v.fold, v.value)`
    : sql.id("v", elementType(columns) === "number" ? "number" : "value");

/**
 * The values table `v` joined to the row `t`, up to and including its `where`. Names the tenant itself, because a
 * distributed database finds the node of each table of a statement by it.
 */
export const elementsOf = (columns: FieldColumns, scope: RowScope): Sql =>
  sql`${sql.id(scope.layout.valuesTable)} as v
    where v.cid = ${scope.cid} and v.row = t.row and v.valid_from = t.valid_from
    and v.field = ${elementField(columns, scope)}`;

export const elementField = ({ column, expires }: FieldColumns, scope: RowScope): Sql =>
  atInstant(scope, expires, (suffix) => sql.literal(column + suffix));

/** A field's value in the row `t`, at the instant of the query. Not for array fields. */
export const valueOf = ({ column, expires }: FieldColumns, scope: RowScope): Sql =>
  atInstant(scope, expires, (suffix) => sql.id("t", column + suffix));

/**
 * The folded text of a field's value in the row `t`, as in its index. With row-level security, PostgreSQL searches no
 * index for a `coalesce`, which it takes for an expression that may reveal other rows.
 */
export const foldedOf = ({ stem, column, expires }: FieldColumns, scope: RowScope): Sql =>
  atInstant(scope, expires, (suffix) => {
    const folded = sql.id("t", `${stem}${foldSuffix}${suffix}`);
    return sql`case when ${folded} is null then ${sql.id("t", column + suffix)} else ${folded} end`;
  });

/** The text key of a field's value in the row `t`. */
export const textOf = ({ stem, column, expires }: FieldColumns, scope: RowScope): Sql =>
  atInstant(scope, expires, (suffix) => {
    const text = sql.id("t", `${stem}${textSuffix}${suffix}`);
    const folded = sql.id("t", `${stem}${foldSuffix}${suffix}`);
    return sql`coalesce(${text}, ${folded}, ${sql.id("t", column + suffix)})`;
  });

/** Reads the value before or after expiry. `suffix` is the end of the column name. */
export function atInstant(
  { now, expired }: Pick<RowScope, "now" | "expired">,
  expires: boolean,
  read: (suffix: "" | typeof afterSuffix) => Sql,
): Sql {
  if (!expires || expired === false) return read("");
  if (expired === true) return read(afterSuffix);
  return sql`case when t.turns_at <= ${now} then ${read(afterSuffix)} else ${read("")} end`;
}

export function columnsFor(field: string, { layout }: Pick<RowScope, "layout">): FieldColumns {
  const columns = layout.fields.get(field);
  if (columns === undefined) throw new RangeError(`${layout.table} has no field ${field}`);
  return columns;
}
