import type { PoolLoad } from "../types/pool-load.ts";
import type { ReplicaLoad } from "../types/replica.ts";
import type { Snapshots } from "../types/snapshots.ts";
import type { WriteOptions } from "../types/types.ts";
import { sql, type Bindable, type Sql } from "./sql.ts";

export type ColumnType = "text" | "integer" | "number" | "boolean";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export interface InsertTarget {
  readonly table: string;
  readonly columns: readonly Column[];
}

/** Runs statements that return rows. */
export interface Reader {
  readonly dialect: Dialect;
  /**
   * A reader of a tenant for statements that look at many rows. Null: this one is as good, because its statements do
   * not block the event loop, or because it is inside a transaction.
   */
  readonly aside: ((cid: string) => Reader) | null;
  /** Runs one statement. Each distinct statement text is prepared once. */
  all<Row>(query: Sql<Row>): Promise<readonly Row[]>;
  /** Like `all`, but each row is a list of values in the selected order. Faster for many rows. */
  tuples<Tuple extends readonly unknown[]>(query: Sql<Tuple>): Promise<readonly Tuple[]>;
  /**
   * Like `tuples`, for a statement that reads all its rows with `Dialect.whileInTime`. Null: it needs more than a small
   * part of a turn. Then it is not run again for some time. Absent where `aside` is null.
   */
  briefly?<Tuple extends readonly unknown[]>(query: Sql<Tuple>): Promise<readonly Tuple[] | null>;
}

/** A connection, checked out for one piece of work. */
export interface Connection extends Reader {
  /**
   * Numbers in rows that the open transaction has locked, by row name. No other transaction changes them
   * before it ends. Transactions that share a commit share the map. A rollback clears it.
   */
  readonly locked: Map<string, number>;
  /**
   * Runs a statement that returns no rows. May resolve before the engine has responded; if the statement
   * fails then, its transaction fails at the end. Only inside transactions.
   */
  send(query: Sql): Promise<void>;
  /** Like `send`: inserts rows whose values are in the order of the target's columns. */
  insert(target: InsertTarget, rows: readonly (readonly Bindable[])[]): Promise<void>;
  /** Waits until the engine has responded to all statements so far. Throws the first failure. */
  settle(): Promise<void>;
  /** Runs a script without parameters. */
  run(script: string): Promise<void>;
}

/** A condition on the text in a table of words. */
export interface WordsCondition {
  /** A text of `wordsQuery` for versions that are not compared: the index alone decides. */
  readonly proven: string | null;
  /** A text of `wordsQuery` for other versions, which are compared with `part` and `phrases`. */
  readonly possible: string | null;
  /** The column `text_key` contains it. */
  readonly part: string | null;
  /** The column `sequence` contains each of them. */
  readonly phrases: readonly string[];
}

/** The index of a version has each of the words, and a word with each of the starts. */
export interface IndexedWords {
  readonly words: readonly string[];
  readonly starts: readonly string[];
}

/** An index of the trigrams of a field, which finds parts of its texts. An operator adds it. */
export interface TrigramIndex {
  /** The name of the index, and of the function that reads it. */
  readonly name: string;
  readonly table: string;
  /** The indexed text, which is folded, and the exact one, as expressions over the columns of `table`. */
  readonly folded: string;
  readonly exact: string;
  /** The condition for the rows of the field. Null: every row. */
  readonly where: string | null;
}

/** Texts of `Dialect.globPattern`. */
export interface TrigramPattern {
  /** For the folded text. */
  readonly folded: string;
  /** For the exact text. Null: case is ignored. */
  readonly exact: string | null;
}

/** An index in the database. `broken`: its creation was interrupted, and no search uses it. */
export interface FoundTrigramIndex {
  readonly name: string;
  readonly state: "ready" | "building" | "broken";
  readonly bytes: number;
}

/** The connections are the owner's, outside of transactions, except those of `find` and `versionsLike`. */
export interface TrigramDialect {
  /** A select of `row` and `valid_from` of the tenant's versions that match, at most `most` of them. Null: all. */
  versionsLike(name: string, cid: string, pattern: TrigramPattern, most: number | null): Sql;
  /** Whether no other connection has asked this and is still open. */
  isAlone(connection: Connection): Promise<boolean>;
  /** Those of the names that are indexes with their function. */
  find(reader: Reader, names: readonly string[]): Promise<readonly FoundTrigramIndex[]>;
  /** Creates all but the index. */
  prepare(connection: Connection, index: TrigramIndex): Promise<void>;
  /** Creates the index while others write. */
  build(connection: Connection, index: TrigramIndex): Promise<void>;
  /** Drops the index and leaves the function, which servers that still know the index call. */
  drop(connection: Connection, name: string): Promise<void>;
  /** How much of the table a creation has read. */
  progress(
    reader: Reader,
    name: string,
  ): Promise<{ readonly done: number; readonly total: number }>;
}

/** Statements without parameters, which run in the transaction of the inserts. */
export interface ManyWords {
  readonly first: Sql;
  readonly beforeLast: Sql;
  readonly afterLast: Sql;
}

/**
 * The end of a sub-select for one row. It prevents PostgreSQL from joining the sub-select to all rows: with
 * outdated statistics, such a join compares each row with each row of the other table.
 */
export const eachRow = sql`limit 1 offset 0`;

/** A value of the row of a query, and rows of another query that may have it. */
export interface Absence {
  readonly value: Sql;
  readonly column: Sql;
  /** A table with a condition. */
  readonly rows: Sql;
}

/** `Dialect.isAbsent`, by a look-up for each row of the query. */
export const isAbsent = ({ value, column, rows }: Absence): Sql =>
  sql`not exists (select 1 from ${rows} and ${column} = ${value} ${eachRow})`;

/** The SQL that differs between the engines. All other SQL is the same on both. */
export interface Dialect {
  readonly engine: "sqlite" | "postgres";
  /** Column types; text sorts by code point. */
  readonly types: Readonly<Record<ColumnType, string>>;
  /** Whether a unique index rejected the write of a statement. */
  isUniqueViolation(error: unknown): boolean;
  /** Selects the size of the database as `bytes`. */
  readonly databaseSize: Sql<{ bytes: number }>;
  /** A primary key of increasing numbers that the database assigns. */
  readonly identity: string;
  /** The end of a select that locks its rows and skips rows locked by other transactions. */
  readonly skipLocked: Sql;
  /** The text after the columns of `create table`. `clustered`: the table is stored in its primary key. */
  readonly tableOptions: { readonly plain: string; readonly clustered: string };
  /** `column` equals an element of the list. */
  anyOf(column: Sql, list: Bindable, type: ColumnType): Sql;
  /**
   * A condition that ends the statement at its time limit, for statements that may read many rows. `row` has consecutive
   * numbers. Null: the engine ends statements itself.
   */
  readonly whileInTime: ((row: Sql) => Sql) | null;
  /** None of the rows has the value in the column. A value of null is absent. */
  isAbsent(of: Absence): Sql;
  /** Like `anyOf`, in a form that no index serves: it looks the value of each row up in a hash of the list. */
  isAmong(column: Sql, list: Bindable, type: ColumnType): Sql;
  /** The elements of the list as a table `listed` with the column `value`. */
  elements(list: Bindable, type: ColumnType): Sql;
  /** `column` matches a pattern of `globPattern`. */
  glob(column: Sql, pattern: string): Sql;
  /** `parts` are the literal texts between the stars. */
  globPattern(parts: readonly string[]): string;
  /** The numbers of `column` in all rows as one comma-separated text. Null if there are no rows. */
  numberList(column: Sql): Sql;
  /** `column` contains a text. */
  contains(column: Sql, needle: string): Sql;
  boolean(value: boolean): Sql;
  /**
   * The version is none of `versions`, a table `h` with a condition. The time must be proportional to the number
   * of versions, whatever the planner assumes.
   */
  notAmong(of: { readonly row: Sql; readonly validFrom: Sql; readonly versions: Sql }): Sql;
  /**
   * Creates the table `table` of words with its index. The table has the columns of `wordColumns` and
   * supports inserts and deletes.
   */
  createWords(table: string): string;
  /** Statements around inserts of many rows into a table of words. Null if the engine needs none. */
  readonly manyWords: ManyWords | null;
  /** Drops everything that `createWords` of this or an earlier version created. */
  dropWords(table: string): string;
  /**
   * The query of `versionsWithWords`: one of the alternatives holds, and no word of the index starts
   * with `excluded`. Words and starts consist of letters, digits and `_`.
   */
  wordsQuery(alternatives: readonly IndexedWords[], excluded?: string | null): string;
  /** A select of `row` and `valid_from` of the tenant's versions whose text satisfies the condition. */
  versionsWithWords(table: string, cid: string, condition: WordsCondition): Sql;
  /** Null: the engine has no such indexes. */
  readonly trigrams: TrigramDialect | null;
  /** Enables row-level security between tenants, if the engine has it. */
  fence(table: string): string;
  /** Allows a tenant to read the platform records whose column `audience` contains it, and their values. */
  admitAudience(table: string, valuesTable: string): string;
  /** Allows every tenant to read the platform's records and their values. */
  admitEveryone(table: string, valuesTable: string): string;
  /** Lets only the tenant itself read again: undoes `admitAudience` and `admitEveryone`. */
  closeFence(table: string, valuesTable: string): string;
  /** Allows the platform's transactions to append to every tenant's trail. */
  admitPlatform(table: string): string;
  /** Grants the server's role access to the tables and updates statistics. Runs after every schema change. */
  readonly admit: string;
  /** Gives the planner assumed statistics for a new table until it has real ones. */
  assumeStatistics(target: InsertTarget): string;
  /** A select of the columns `names` of rows, which are a text of JSON: objects with values of the table's types. */
  rowsOfJson(table: string, names: readonly string[], rows: string): Sql;
  /** Selects the columns of all tables and views that no extension owns. A table has at least one row. */
  readonly everyTable: Sql<{ readonly table: string; readonly name: string }>;
  /** The column names of each table. A table that does not exist is absent. */
  columnsOf(connection: Connection, tables: readonly string[]): Promise<NamesByTable>;
  /** The index names of each table, without primary keys. A table without indexes is absent. */
  indexesOf(connection: Connection, tables: readonly string[]): Promise<NamesByTable>;
}

export type NamesByTable = ReadonlyMap<string, ReadonlySet<string>>;

export function namesByTable(
  rows: readonly { readonly table: string; readonly name: string }[],
): NamesByTable {
  const groups = Map.groupBy(rows, ({ table }) => table);
  return new Map(
    [...groups].map(([table, each]) => [table, new Set(each.map(({ name }) => name))]),
  );
}

/** Reads of requests that only read may go to a replica of the database. */
export interface Replica {
  /** Follows the columns of a select from `access_tokens`. */
  readonly markColumns: Sql;
  /** Notes what the reads of a tenant have to see from now on. */
  note(cid: string, mark: { readonly writes: string; readonly position: number }): void;
  load(): ReplicaLoad;
}

export interface Database {
  readonly dialect: Dialect;
  /** Absent: the database has none. */
  readonly replica?: Replica;
  /** What its connections do now. */
  load(): readonly PoolLoad[];
  /** Absent: this database cannot copy its state. */
  readonly snapshots?: Snapshots | undefined;
  /** Reads see only committed data of the tenants `cids`, and of tables that are not fenced by tenant. */
  read<Result>(
    cids: readonly string[],
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result>;
  /** Runs one transaction: it commits when `work` returns and rolls back when it throws. */
  write<Result>(
    cid: string | null,
    work: (connection: Connection) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result>;
  /**
   * Runs one transaction as the owner of the tables. It excludes all other processes and sees every tenant. `yields`: it
   * begins anew, with another call of `work`, instead of keeping requests waiting that it waits for itself.
   */
  asOwner<Result>(
    work: (connection: Connection) => Promise<Result>,
    options?: { readonly yields?: boolean },
  ): Promise<Result>;
  /**
   * Runs statements of the owner outside of transactions, as the creation of an index beside writes needs. Absent: this
   * database needs none.
   */
  outside?<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Distributes new tables over the nodes, if the database has several. Absent: it never has. */
  distribute?(): Promise<void>;
  /** Whether the database accepts writes. False while its address leads to a standby. */
  acceptsWrites(): Promise<boolean>;
  /** Updates the planner's statistics, for example after many inserts. */
  analyze(): Promise<void>;
  /** Throws `StoreError` if transactions are not fenced by tenant as they should be. Needs the tables. */
  check(): Promise<void>;
  /** A number that changes with every change by any process. Null if reading it needs a query. */
  version(): number | null;
  close(): Promise<void>;
}
