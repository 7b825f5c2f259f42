import { context, SpanKind, trace, type Attributes, type Span } from "@opentelemetry/api";
import type { Connection, Database, Reader, Sql } from "../../store/index.ts";

type InSpan = <Result>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
) => Promise<Result>;

/**
 * Adds a span to each statement that runs for a request or a job. The text of a statement has no values. Statements of
 * the platform itself, such as the look for due jobs every few seconds, have no span.
 */
export const tracedDatabase =
  (inSpan: InSpan) =>
  (database: Database): Database => {
    const system = database.dialect.engine === "postgres" ? "postgresql" : "sqlite";
    const traced = <Result>(text: string, work: () => Promise<Result>): Promise<Result> => {
      if (trace.getSpan(context.active()) === undefined) return work();
      const name = /\w+/.exec(text)?.[0]?.toUpperCase() ?? "statement";
      const attributes = {
        "db.system.name": system,
        "db.operation.name": name,
        "db.query.text": text.trim().replaceAll(/\s+/g, " "),
      };
      return inSpan(name, SpanKind.CLIENT, attributes, work);
    };
    const textOf = ({ texts }: Sql): string => texts.join("?");
    const tracedReader = (reader: Reader): Reader => {
      const { aside, briefly } = reader;
      return {
        dialect: reader.dialect,
        aside: aside === null ? null : (cid) => tracedReader(aside(cid)),
        all: (query) => traced(textOf(query), () => reader.all(query)),
        tuples: (query) => traced(textOf(query), () => reader.tuples(query)),
        ...(briefly === undefined
          ? {}
          : { briefly: (query) => traced(textOf(query), () => briefly.call(reader, query)) }),
      } as Reader;
    };
    const tracedConnection = (connection: Connection): Connection => ({
      ...tracedReader(connection),
      locked: connection.locked,
      send: (query) => traced(textOf(query), () => connection.send(query)),
      insert: (target, rows) =>
        traced(`insert into ${target.table}`, () => connection.insert(target, rows)),
      settle: () => connection.settle(),
      run: (script) => traced(script, () => connection.run(script)),
    });
    // Transactions that share a commit run one after the other in the context of the first.
    const here = <Result>(
      work: (connection: Connection) => Promise<Result>,
    ): ((connection: Connection) => Promise<Result>) => {
      const caller = context.active();
      return (connection) => context.with(caller, () => work(tracedConnection(connection)));
    };
    return {
      ...database,
      read: (cids, work) => database.read(cids, here(work)),
      write: (cid, work, options) => database.write(cid, here(work), options),
    };
  };
