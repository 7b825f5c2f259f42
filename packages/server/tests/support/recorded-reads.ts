import type { Connection, Database } from "../../src/store/dialects/dialect.ts";
import { sql, type Sql } from "../../src/store/dialects/sql.ts";
import { openPostgres } from "../../src/store/dialects/postgres/postgres.ts";
import type { SqliteDriver, SqliteHandle } from "../../src/store/dialects/sqlite/driver.ts";
import { sqliteDatabase } from "../../src/store/dialects/sqlite/sqlite-database.ts";
import { nodeDriver } from "../../src/store/dialects/sqlite-node/node-driver.ts";
import { PageStarts } from "../../src/store/reading/page-starts.ts";
import { Sealer } from "../../src/store/secrets/sealer.ts";
import { FixedKeys } from "../../src/secrets/keyring.ts";
import { RecordReader } from "../../src/store/reading/records.ts";
import { plainSource } from "../../src/store/reading/sources.ts";
import { Totals } from "../../src/store/reading/totals.ts";
import { KnownTrigrams } from "../../src/store/reading/trigram-fields.ts";
import type { Resource } from "../../src/store/types/types.ts";

export interface RecordedReads<Kind extends object> {
  readonly records: RecordReader<Kind>;
  /** The statements on records in `work`. */
  statementsOf(work: () => Promise<unknown>): Promise<readonly string[]>;
  /** Their query plans. */
  planOf(work: () => Promise<unknown>): Promise<string>;
  /**
   * The number of rows that their statements read. On PostgreSQL those of all parts of their plans; on SQLite the
   * records whose version is checked, counted by 64.
   */
  rowsReadIn(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** Reads of one tenant over connections that record their statements. */
export function recordedReads<Kind extends object>(
  url: string,
  cid: string,
  resource: Resource<Kind>,
): RecordedReads<Kind> {
  let checks = 0;
  const driver = checkedDriver(() => {
    checks += 1;
  });
  const database: Database = url.startsWith("sqlite:")
    ? sqliteDatabase({
        driver,
        path: url.slice("sqlite:".length),
        journal: "pragma journal_mode = wal",
      })
    : openPostgres(url);
  let reads: Sql[] = [];
  const remember = (query: Sql) => {
    const { text } = query;
    const isAboutRecords = !text.includes("write_numbers") && !text.includes("pg_class");
    if (isAboutRecords && !text.includes("as matches")) reads.push(query);
  };
  const remembering = (connection: Connection): Connection => ({
    dialect: connection.dialect,
    locked: connection.locked,
    aside: null,
    all: (query) => {
      remember(query);
      return connection.all(query);
    },
    tuples: (query) => {
      remember(query);
      return connection.tuples(query);
    },
    send: (query) => connection.send(query),
    insert: (target, rows) => connection.insert(target, rows),
    settle: () => connection.settle(),
    run: (script) => connection.run(script),
  });
  const pageStarts = new PageStarts();
  const sealer = new Sealer(new FixedKeys([]));
  const shared = { pageStarts, totals: new Totals(), trigrams: new KnownTrigrams(), sealer };
  const records = new RecordReader(resource, shared, {
    sources: async () => [plainSource(cid)],
    database: {
      read: (_cids, work) => database.read([cid], (connection) => work(remembering(connection))),
    },
  });
  const sqlite = database.dialect.engine === "sqlite";
  return {
    records,
    statementsOf: async (work) => {
      reads = [];
      await work();
      return reads.map(({ text }) => text);
    },
    planOf: async (work) => {
      reads = [];
      await work();
      const explain = sql.raw(sqlite ? "explain query plan" : "explain");
      const plans = reads.map((query) =>
        database.read([cid], (connection) =>
          connection.all(sql<Record<string, unknown>>`${explain} ${query}`),
        ),
      );
      const rows = (await Promise.all(plans)).flat();
      return rows.map((row) => Object.values(row).at(-1)).join("\n");
    },
    rowsReadIn: async (work) => {
      reads = [];
      checks = 0;
      await work();
      if (sqlite) return checks * 64;
      const explain = sql`explain (analyze, timing off, format json)`;
      const plans = reads.map((query) =>
        database.read([cid], (connection) =>
          connection.all(
            sql<{ "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>`${explain} ${query}`,
          ),
        ),
      );
      const rows = (await Promise.all(plans)).flat();
      return rows.reduce((sum, row) => sum + rowsRead(row["QUERY PLAN"][0]?.Plan), 0);
    },
    close: () => database.close(),
  };
}

/** Calls `checked` for every 64th row that a statement reads. */
const checkedDriver = (checked: () => void): SqliteDriver => ({
  open: (path, options) => {
    const handle = nodeDriver.open(path, options);
    const counting: Pick<SqliteHandle, "function"> = {
      function: (name, implementation) =>
        handle.function(name, () => {
          checked();
          return implementation();
        }),
    };
    return Object.assign(Object.create(handle) as SqliteHandle, counting);
  },
});

/** A node of PostgreSQL's plan. The numbers are averages of its loops. */
interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

function rowsRead(node: PlanNode | undefined): number {
  if (node === undefined) return 0;
  const { "Rows Removed by Filter": filtered = 0, "Rows Removed by Join Filter": joined = 0 } =
    node;
  const own = (node["Actual Rows"] + filtered + joined) * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own);
}
