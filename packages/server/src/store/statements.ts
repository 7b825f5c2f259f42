import { sql, type CompiledQuery, type RawBuilder } from "kysely";
import type { Bindable, Connection } from "./dialects/dialect.ts";

/** Anything that Kysely can compile to a statement giving rows of a known shape. */
export interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** Stands in a statement for the value at `index` of what it will be run with. */
class Slot {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/** A query compiled once and run with other values each time. */
export interface Statement<Row> {
  readonly text: string;
  readonly parameters: readonly (Slot | Bindable)[];
  /** Never set; keeps the rows' shape with the statement. */
  readonly row?: Row;
}

export function slot<Value>(index: number): RawBuilder<Value> {
  return sql<Value>`${new Slot(index)}`;
}

export function prepare<Row>(query: Compilable<Row>): Statement<Row> {
  const { sql: text, parameters } = query.compile();
  return { text, parameters: parameters as Statement<Row>["parameters"] };
}

export function run<Row>(
  connection: Connection,
  statement: Statement<Row>,
  values: readonly Bindable[],
): Promise<readonly Row[]> {
  return connection.all<Row>(
    statement.text,
    statement.parameters.map((parameter) =>
      parameter instanceof Slot ? (values[parameter.index] ?? null) : parameter,
    ),
  );
}

/** Compiles a query and runs it; for what is not asked thousands of times a second. */
export function rowsOf<Row>(
  connection: Connection,
  query: Compilable<Row>,
): Promise<readonly Row[]> {
  return run(connection, prepare(query), []);
}
