import { sql, type RawBuilder } from "kysely";
import {
  branchesOf,
  branchValue,
  branchWhere,
  scopeOf,
  type Branch,
  type BranchQuery,
} from "./branches.ts";
import type { FieldColumns } from "../rows/columns.ts";
import { isVisible, isCovered, isUnfiltered } from "./covered.ts";
import { readableKey } from "../rows/element-key.ts";
import {
  columnsFor,
  element,
  elementsOf,
  valueOf,
  type RowScope,
} from "../statements/read-values.ts";
import type { Parameter } from "../statements/plan-key.ts";
import { bind, type Target, type Template } from "../statements/statements.ts";
import { originalText } from "../rows/stored-text.ts";
import type { FacetValue } from "../types/types.ts";
import { patientView, statesOf, type View } from "./view.ts";

/** The part of a plan that reads one field of the matching records. */
export interface SourcePlan {
  readonly field: string;
  readonly now: Parameter<string>;
  readonly branches: readonly Branch[];
}

/** A query about the values of one field. */
export interface Question {
  readonly view: View;
  readonly columns: FieldColumns;
  readonly source: SourcePlan;
  readonly decode: (value: unknown) => FacetValue;
}

/** Like `columnsFor`, but also for fields without a column, whose value depends on the reader. */
export function columnsOfField(field: string, { layout }: Pick<Target, "layout">): FieldColumns {
  return layout.readerFields.get(field) ?? columnsFor(field, { layout });
}

/** Fixes the state of the data that all statements of the query read. */
export async function questionAbout(
  field: string,
  view: View,
  query: BranchQuery,
): Promise<Question> {
  const columns = columnsOfField(field, query);
  const states = await statesOf(view);
  const snapshot = states.map(({ number }) => number);
  const branches = branchesOf(query, view.sources, snapshot);
  return {
    view: patientView(view, states),
    columns,
    source: { field, now: query.now, branches },
    decode: (value) => decoded(value, columns),
  };
}

/** Runs a statement over the values. `options` is the rest of its plan. Returns no rows if nothing can match. */
export async function answers<Options extends object, Row>(
  { view, source }: Question,
  template: Template<SourcePlan & Options, Row>,
  options: Options,
): Promise<readonly Row[]> {
  if (source.branches.length === 0) return [];
  const { statements, connection, layout } = view;
  return statements.run(connection, template, layout, { ...source, ...options });
}

/** The values as a table `s` with the columns `place`, `row` and `value`. */
export function valuesOf(
  { field, now, branches }: SourcePlan,
  target: Target,
): RawBuilder<unknown> {
  const columns = columnsOfField(field, target);
  const selects = branches.map((branch) =>
    valuesSelect(columns, branch, target, scopeOf({ ...target, now }, branch)),
  );
  return sql`(${sql.join(selects, sql` union all `)}) as s`;
}

function valuesSelect(
  columns: FieldColumns,
  branch: Branch,
  { layout, dialect }: Target,
  scope: RowScope,
): RawBuilder<unknown> {
  const table = sql`${sql.table(layout.table)} as t`;
  const place = sql`${sql.lit(branch.place)} as place`;
  const ofReader = branch.readerValues[columns.name];
  if (ofReader?.kind === "elements") {
    const { of, among, or } = ofReader;
    const value = element("value");
    const listed = dialect.anyOf(value, bind(among), "text");
    const condition =
      or === null
        ? listed
        : sql`(${listed} or ${value} = ${valueOf(columnsFor(or, scope), scope)})`;
    return sql`select ${place}, t.row, ${value} as value
      from ${table} cross join ${elementsOf(columnsFor(of, scope), scope)}
        and ${condition} and ${branchWhere(branch, scope)}`;
  }
  if (columns.field.array === true) {
    const value = element(columns.type === "number" ? "number" : "value");
    if (isUnfiltered(branch) && !columns.expires) {
      return sql`select ${place}, v.row, ${value} as value from ${sql.table(layout.valuesTable)} as v
        where ${isVisible("v", branch, scope)} and v.field = ${sql.lit(columns.column)}`;
    }
    // The filter comes first, because it leaves fewer rows than the field has elements.
    return sql`select ${place}, t.row, ${value} as value
      from ${table} cross join ${elementsOf(columns, scope)} and ${branchWhere(branch, scope)}`;
  }
  const value = branchValue(columns.name, branch, scope);
  const covered = ofReader === undefined && isCovered(branch, layout, columns.name);
  const where = covered ? isVisible("t", branch, scope) : branchWhere(branch, scope);
  return sql`select ${place}, t.row, ${value} as value from ${table}
    where ${where} and ${value} is not null`;
}

function decoded(value: unknown, { type }: FieldColumns): FacetValue {
  if (type === "boolean") return value === true || value === 1 || value === "true";
  return typeof value === "string" ? originalText(readableKey(value)) : Number(value);
}
