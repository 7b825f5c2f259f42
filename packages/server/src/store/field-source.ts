import { sql, type RawBuilder } from "kysely";
import { branchesOf, branchWhere, scopeOf, type Branch, type BranchQuery } from "./branches.ts";
import type { FieldColumns } from "./columns.ts";
import { coveredWhere, inSight, isCovered, isUnfiltered } from "./covered.ts";
import { columnsFor, element, elementsOf, valueOf, type RowScope } from "./filter-to-where.ts";
import { originalText } from "./stored-text.ts";
import type { FacetValue } from "./types.ts";
import { run } from "./statements.ts";
import { snapshotOf, type View } from "./view.ts";

/** The values of one field among matching records: columns `tenant`, `row`, `value`. */
export interface FieldSource {
  readonly field: string;
  /** Equal keys, equal SQL. */
  readonly key: string;
  /** Null where no record can match. */
  readonly rows: RawBuilder<unknown> | null;
  readonly decode: (value: unknown) => FacetValue;
  /** A record has at most one value. */
  readonly single: boolean;
}

/** A question about the values of one field. */
export interface Question {
  readonly view: View;
  readonly query: BranchQuery;
  readonly source: FieldSource;
}

/** Several statements may answer it: all see one state of the data. */
export async function questionAbout(
  field: string,
  view: View,
  query: BranchQuery,
): Promise<Question> {
  return { view, query, source: fieldSource(field, view, query, await snapshotOf(view)) };
}

/** Runs a statement over the source; no rows where no record can match. `kind` names its text. */
export async function answers<Row>(
  { view, query, source }: Question,
  kind: string,
  ask: (values: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<readonly Row[]> {
  const { rows } = source;
  if (rows === null) return [];
  const statement = view.statements.get(
    `${kind} ${source.key}`,
    () => ask(sql`${rows} as s`) as RawBuilder<Row>,
  );
  return run(view.connection, statement, query.draft.values);
}

function fieldSource(
  field: string,
  { owners }: View,
  query: BranchQuery,
  snapshot: readonly number[],
): FieldSource {
  const branches = branchesOf(query, owners, snapshot);
  const columns = columnsFor(field, query);
  const selects = branches.map((branch) => valuesSelect(columns, branch, query));
  return {
    field,
    key: JSON.stringify([query.layout.table, field, branches]),
    rows: selects.length === 0 ? null : sql`(${sql.join(selects, sql` union all `)})`,
    decode: (value) => decoded(value, columns),
    single: columns.field.array !== true,
  };
}

function valuesSelect(
  columns: FieldColumns,
  branch: Branch,
  query: BranchQuery,
): RawBuilder<unknown> {
  const { layout } = query;
  const scope = scopeOf(query, branch);
  const table = sql`${sql.table(layout.table)} as t`;
  const tenant = sql`${sql.lit(branch.tenant)} as tenant`;
  if (columns.field.array === true) {
    const value = element(columns.type === "number" ? "number" : "value");
    if (isUnfiltered(branch) && !columns.turns) {
      return sql`select ${tenant}, v.row, ${value} as value from ${sql.table(layout.valuesTable)} as v
        where ${inSight("v", branch, scope)} and v.field = ${sql.lit(columns.column)}`;
    }
    // The filter comes first: it leaves fewer rows than the field has elements.
    return sql`select ${tenant}, t.row, ${value} as value
      from ${table} cross join ${elementsOf(columns, scope)} and ${branchWhere(branch, scope)}`;
  }
  const value = singleValue(columns, branch, query, scope);
  const where = isCovered(branch, layout, columns.name) ? coveredWhere : branchWhere;
  return sql`select ${tenant}, t.row, ${value} as value from ${table}
    where ${where(branch, scope)} and ${value} is not null`;
}

function singleValue(
  columns: FieldColumns,
  { inherited }: Branch,
  { resource, dialect }: BranchQuery,
  scope: RowScope,
): RawBuilder<unknown> {
  if (columns.name === resource.inherited?.field) return dialect.boolean(inherited);
  return valueOf(columns, scope);
}

function decoded(value: unknown, { type }: FieldColumns): FacetValue {
  if (type === "boolean") return value === true || value === 1 || value === "true";
  return typeof value === "string" ? originalText(value) : Number(value);
}
