import type { Predicate } from "@security-platform/fql";
import { branchValue, branchWhere } from "./branch-sql.ts";
import { branchesOf, type Branch } from "./branches.ts";
import type { FieldColumns } from "../rows/columns.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { isCovered, isUnfiltered, isVisibleInIndex } from "./covered.ts";
import { columnsFor, elementsOf, elementValue, valueOf } from "../statements/read-values.ts";
import { originalText, readableKey } from "../rows/stored-values.ts";
import type { FacetValue } from "../types/types.ts";
import { viewForLongStatements, queryOf, statesOf, type View } from "./view.ts";

/** A query about the values of one field, in one state of the data. */
export interface FieldQuery {
  readonly columns: FieldColumns;
  /**
   * Runs a statement over the values: a table `s` with the columns `place`, `row` and `value`. Returns no rows
   * if nothing can match.
   */
  run<Row>(queryOver: (values: Sql) => Sql<Row>): Promise<readonly Row[]>;
  readonly anyOf: View["connection"]["dialect"]["anyOf"];
  readonly decode: (value: unknown) => FacetValue;
}

/** Fixes the state of the data that all statements of the query read. */
export async function openFieldQuery(
  field: string,
  view: View,
  predicate: Predicate,
  now: Date,
): Promise<FieldQuery> {
  const { layout } = view;
  // Fields whose value depends on the reader have no column.
  const columns = layout.readerFields.get(field) ?? columnsFor(field, { layout });
  const query = queryOf(view, predicate, now);
  const states = await statesOf(view);
  const snapshot = states.map(({ number }) => number);
  const branches = branchesOf(query, view.sources, snapshot);
  const selects = branches.map((branch) => valuesSelect(columns, branch));
  const values = sql`(${sql.join(selects, " union all ")}) as s`;
  const { connection } = viewForLongStatements(view, states);
  return {
    columns,
    run: async (queryOver) => (branches.length === 0 ? [] : connection.all(queryOver(values))),
    anyOf: query.dialect.anyOf,
    decode: (value) => decoded(value, columns),
  };
}

function valuesSelect(columns: FieldColumns, branch: Branch): Sql {
  const { layout, dialect } = branch;
  const table = sql`${sql.id(layout.table)} as t`;
  const place = sql`${sql.literal(branch.place)} as place`;
  const ofReader = branch.fields.get(columns.name);
  if (ofReader?.kind === "elements") {
    const { of, among, or } = ofReader;
    const listed = dialect.anyOf(sql`v.value`, among, "text");
    const condition =
      or === undefined
        ? listed
        : sql`(${listed} or v.value = ${valueOf(columnsFor(or, branch), branch)})`;
    return sql`select ${place}, t.row, v.value as value
      from ${table} cross join ${elementsOf(columnsFor(of, branch), branch)}
        and ${condition} and ${branchWhere(branch)}`;
  }
  if (columns.field.array === true) {
    const value = elementValue(columns, false);
    if (isUnfiltered(branch) && !columns.expires) {
      return sql`select ${place}, v.row, ${value} as value from ${sql.id(layout.valuesTable)} as v
        where ${isVisibleInIndex("v", branch)} and v.field = ${sql.literal(columns.column)}`;
    }
    // The filter comes first, because it leaves fewer rows than the field has elements.
    return sql`select ${place}, t.row, ${value} as value
      from ${table} cross join ${elementsOf(columns, branch)} and ${branchWhere(branch)}`;
  }
  const value = branchValue(columns.name, branch);
  const covered = ofReader === undefined && isCovered(branch, columns);
  const where = covered ? isVisibleInIndex("t", branch) : branchWhere(branch);
  return sql`select ${place}, t.row, ${value} as value from ${table}
    where ${where} and ${value} is not null`;
}

function decoded(value: unknown, { type }: FieldColumns): FacetValue {
  if (type === "boolean") return value === true || value === 1 || value === "true";
  return typeof value === "string" ? originalText(readableKey(value)) : Number(value);
}
