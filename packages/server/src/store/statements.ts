import { sql, type CompiledQuery, type Kysely, type RawBuilder } from "kysely";
import type { Bindable, Connection, Dialect } from "./dialects/dialect.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import type { Tables } from "./tables.ts";

/** Anything that Kysely can compile to a statement giving rows of a known shape. */
export interface Compilable<Row> {
  compile(builder: Kysely<Tables>): CompiledQuery<Row>;
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

export function prepare<Row>({ builder }: Dialect, query: Compilable<Row>): Statement<Row> {
  const { sql: text, parameters } = query.compile(builder);
  return { text, parameters: parameters as Statement<Row>["parameters"] };
}

export function run<Row>(
  connection: Connection,
  statement: Statement<Row>,
  values: readonly Bindable[],
): Promise<readonly Row[]> {
  return connection.all<Row>(statement.text, bound(statement, values));
}

/** As `run`, for a statement whose rows are tuples. */
export function runTuples<Tuple extends readonly unknown[]>(
  connection: Connection,
  statement: Statement<Tuple>,
  values: readonly Bindable[],
): Promise<readonly Tuple[]> {
  return connection.tuples<Tuple>(statement.text, bound(statement, values));
}

const bound = ({ parameters }: Statement<unknown>, values: readonly Bindable[]) =>
  parameters.map((parameter) =>
    parameter instanceof Slot ? (values[parameter.index] ?? null) : parameter,
  );

/** Compiles a query and runs it; for what is not asked thousands of times a second. */
export function rowsOf<Row>(
  connection: Connection,
  query: Compilable<Row>,
): Promise<readonly Row[]> {
  return run(connection, prepare(connection.dialect, query), []);
}

const statementsKept = 500;

/** The statements of one database by what they do, so that none is compiled twice. */
export class Statements {
  readonly dialect: Dialect;
  // Every key says what rows its statement gives.
  readonly #statements = new LeastRecentlyUsed<string, Statement<unknown>>(statementsKept);

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  get<Row>(key: string, make: () => Compilable<Row>): Statement<Row> {
    return this.#statements.get(key, () => prepare(this.dialect, make())) as Statement<Row>;
  }
}
