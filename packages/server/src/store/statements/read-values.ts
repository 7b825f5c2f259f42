import { sql, type RawBuilder } from "kysely";
import {
  after,
  fold as foldSuffix,
  text as textSuffix,
  type FieldColumns,
  type Layout,
} from "../rows/columns.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Parameter } from "./plan-key.ts";
import { bind } from "./statements.ts";

/** The rows that a condition applies to: versions of records with the alias `t`. */
export interface RowScope {
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly cid: Parameter;
  readonly now: Parameter;
  /** Whether the rows have expired: all (true), none (false), or those whose `turns_at` is past (null). */
  readonly expired: boolean | null;
}

type Expression = RawBuilder<unknown>;

export const elementAlias = "v";

export const elementType = ({ type }: FieldColumns): "number" | "text" =>
  type === "number" ? "number" : "text";

export const elementValue = (columns: FieldColumns, fold: boolean): Expression =>
  fold
    ? sql`coalesce(${element("fold")}, ${element("value")})`
    : element(elementType(columns) === "number" ? "number" : "value");

/** The values table joined to the row `t`, up to and including its `where`. */
export function elementsOf(columns: FieldColumns, scope: RowScope): Expression {
  return sql`${sql.table(scope.layout.valuesTable)} as ${sql.id(elementAlias)}
    where ${element("cid")} = t.cid and ${element("row")} = t.row
    and ${element("valid_from")} = t.valid_from
    and ${element("field")} = ${elementField(columns, scope)}`;
}

export const element = (column: string): Expression => sql.id(elementAlias, column);

/** The full text of an element, including the part that the index does not hold. */
export const fullElement = sql`coalesce(${element("long")}, ${element("value")})`;

export function elementField(
  { column, expires }: FieldColumns,
  { now, expired }: RowScope,
): Expression {
  const names = [sql.lit(column), sql.lit(column + after)] as const;
  if (!expires || expired === false) return names[0];
  if (expired === true) return names[1];
  return sql`case when t.turns_at <= ${bind(now)} then ${names[1]} else ${names[0]} end`;
}

/** A field's value in the row `t`, at the instant of the query. Not for array fields. */
export function valueOf({ column, expires }: FieldColumns, scope: RowScope): Expression {
  return atInstant(scope, expires, (suffix) => sql.id("t", column + suffix));
}

/** The text key of a field's value in the row `t`. */
export function textOf({ stem, column, expires }: FieldColumns, scope: RowScope): Expression {
  return atInstant(scope, expires, (suffix) => {
    const text = sql.id("t", `${stem}${textSuffix}${suffix}`);
    const folded = sql.id("t", `${stem}${foldSuffix}${suffix}`);
    return sql`coalesce(${text}, ${folded}, ${sql.id("t", column + suffix)})`;
  });
}

/** Reads the value before or after expiry. `suffix` is the end of the column name. */
export function atInstant(
  { now, expired }: Pick<RowScope, "now" | "expired">,
  expires: boolean,
  read: (suffix: "" | typeof after) => Expression,
): Expression {
  if (!expires || expired === false) return read("");
  if (expired === true) return read(after);
  return sql`case when t.turns_at <= ${bind(now)} then ${read(after)} else ${read("")} end`;
}

export function columnsFor(field: string, { layout }: Pick<RowScope, "layout">): FieldColumns {
  const columns = layout.fields.get(field);
  if (columns === undefined) throw new RangeError(`${layout.table} has no field ${field}`);
  return columns;
}
