import { sql, type CompiledQuery, type Kysely, type RawBuilder } from "kysely";
import type { Layout } from "../rows/columns.ts";
import type { Bindable, Connection, Dialect, Reader } from "../dialects/dialect.ts";
import { LeastRecentlyUsed } from "../../least-recently-used.ts";
import { numberedPlan, Parameter, planKey } from "./plan-key.ts";
import type { Tables } from "../types/tables.ts";

/** Anything that Kysely can compile into a statement with a known row type. */
export interface Compilable<Row> {
  compile(builder: Kysely<Tables>): CompiledQuery<Row>;
}

/** The data that a template may read besides the plan. `Of` is null for templates without a resource. */
export interface Target<Of extends Layout | null = Layout> {
  readonly dialect: Dialect;
  readonly layout: Of;
}

type Build<Plan, Row, Of extends Layout | null> = (
  plan: Plan,
  target: Target<Of>,
) => Compilable<Row>;

let templates = 0;

/**
 * Builds the SQL of a plan. Define templates at module level: a template is part of the key of its
 * statements, so a template that is created for a single call is compiled for a single call.
 */
export class Template<Plan, Row, Of extends Layout | null = Layout> {
  readonly number: number;
  readonly build: Build<Plan, Row, Of>;

  constructor(build: Build<Plan, Row, Of>) {
    templates += 1;
    this.number = templates;
    this.build = build;
  }
}

/** A parameter of the plan as a part of SQL. */
export const bind = <Value extends Bindable>(parameter: Parameter<Value>): RawBuilder<Value> =>
  sql<Value>`${parameter}`;

/** A compiled query. Each parameter holds the index of its value. */
interface Statement {
  readonly text: string;
  readonly parameters: readonly (Parameter | Bindable)[];
}

function compiled<Row>(query: Compilable<Row>, { builder }: Dialect): Statement {
  const { sql: text, parameters } = query.compile(builder);
  return { text, parameters: parameters as Statement["parameters"] };
}

const bound = ({ parameters }: Statement, values: readonly Bindable[]): Bindable[] =>
  parameters.map((parameter) =>
    parameter instanceof Parameter ? (values[Number(parameter.value)] ?? null) : parameter,
  );

/** Compiles a query and runs it. Not for queries that run thousands of times per second. */
export function rowsOf<Row>(connection: Reader, query: Compilable<Row>): Promise<readonly Row[]> {
  const { text, parameters } = compiled(query, connection.dialect);
  return connection.all<Row>(text, bound({ text, parameters }, []));
}

/** Like `rowsOf`, for a statement that returns no rows. Only inside a transaction; see `Connection.send`. */
export function sendQuery(connection: Connection, query: Compilable<unknown>): Promise<void> {
  const { text, parameters } = compiled(query, connection.dialect);
  return connection.send(text, bound({ text, parameters }, []));
}

const statementsKept = 500;
/** Filters with hundreds of conditions are rarely repeated, and their statements are large. */
const longestKey = 20_000;

/**
 * The compiled statements of one database. The key of a statement consists of the number of its template, the
 * number of its layout and the key of its plan. The statement is built from these three alone, because the
 * template gets a copy of the plan without its values. So equal keys have the same parameters in the same
 * order.
 */
export class Statements {
  readonly dialect: Dialect;
  readonly #statements = new LeastRecentlyUsed<string, Statement>(statementsKept);

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  run<Plan, Row, Of extends Layout | null>(
    connection: Reader,
    template: Template<Plan, Row, Of>,
    layout: Of,
    plan: Plan,
  ): Promise<readonly Row[]> {
    const values: Bindable[] = [];
    const statement = this.#get(template, layout, plan, values);
    return connection.all<Row>(statement.text, bound(statement, values));
  }

  /** Runs a statement that returns no rows. Only inside a transaction; see `Connection.send`. */
  send<Plan, Of extends Layout | null>(
    connection: Connection,
    template: Template<Plan, unknown, Of>,
    layout: Of,
    plan: Plan,
  ): Promise<void> {
    const values: Bindable[] = [];
    const statement = this.#get(template, layout, plan, values);
    return connection.send(statement.text, bound(statement, values));
  }

  /** Like `run`, for rows that are tuples. */
  runTuples<Plan, Tuple extends readonly unknown[], Of extends Layout | null>(
    connection: Reader,
    template: Template<Plan, Tuple, Of>,
    layout: Of,
    plan: Plan,
  ): Promise<readonly Tuple[]> {
    const values: Bindable[] = [];
    const statement = this.#get(template, layout, plan, values);
    return connection.tuples<Tuple>(statement.text, bound(statement, values));
  }

  #get<Plan, Row, Of extends Layout | null>(
    template: Template<Plan, Row, Of>,
    layout: Of,
    plan: Plan,
    values: Bindable[],
  ): Statement {
    const key = `${template.number} ${layout?.number ?? ""} ${planKey(plan, values)}`;
    const { dialect } = this;
    const compile = () =>
      compiled(template.build(numberedPlan(plan), { dialect, layout }), dialect);
    return key.length > longestKey ? compile() : this.#statements.get(key, compile);
  }
}
