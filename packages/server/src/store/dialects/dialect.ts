import type { Awaitable } from "../../awaitable.ts";
import type { Kysely, RawBuilder, SqlBool } from "kysely";
import type { RowTest } from "./row-test.ts";
import type { Tables } from "../tables.ts";
import type { LookedUp } from "./looked-up.ts";

/** The value of a statement's parameter; lists are for `anyOf`, `elements` and `within`. */
export type Bindable =
  string | number | boolean | null | readonly (string | number | boolean)[] | RowTest;

export type ColumnType = "text" | "integer" | "number" | "boolean";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export interface InsertTarget {
  readonly table: string;
  readonly columns: readonly Column[];
}

/** A connection, checked out for one piece of work. */
export interface Connection {
  readonly dialect: Dialect;
  /**
   * Numbers in rows that the open transaction has locked, by a name of the row: nobody else changes them
   * before it ends. Transactions that share a commit share them. Emptied when work is undone.
   */
  readonly locked: Map<string, number>;
  /** Shared and emptied in the same way. Null if the engine runs in this process: then it saves nothing. */
  readonly lookedUp: LookedUp | null;
  /** Runs one statement; statements are prepared once for each text. */
  all<Row>(text: string, parameters: readonly Bindable[]): Promise<readonly Row[]>;
  /** As `all`, with rows as lists of values in the selected order; faster for many rows. */
  tuples<Tuple extends readonly unknown[]>(
    text: string,
    parameters: readonly Bindable[],
  ): Promise<readonly Tuple[]>;
  /** As `tuples`, without a promise if the engine runs in this process. */
  tuplesNow<Tuple extends readonly unknown[]>(
    text: string,
    parameters: readonly Bindable[],
  ): Awaitable<readonly Tuple[]>;
  /**
   * Runs a statement that returns no rows. May resolve before the engine has answered; if the statement
   * fails then, its transaction fails at the end. Only inside transactions.
   */
  send(text: string, parameters: readonly Bindable[]): Promise<void>;
  /** As `send`: inserts rows whose values are in the order of the target's columns. */
  insert(target: InsertTarget, rows: readonly (readonly Bindable[])[]): Promise<void>;
  /** Waits until the engine has answered all statements so far. Throws the first failure. */
  settle(): Promise<void>;
  /** Runs a script without parameters. */
  run(script: string): Promise<void>;
}

/** A condition on the text in a table of words, bound. */
export interface BoundWords {
  readonly cid: RawBuilder<unknown>;
  /** Of `wordsQuery`. */
  readonly words: RawBuilder<unknown>;
  /** The column `text_key` contains it. */
  readonly part: RawBuilder<unknown> | null;
  /** The column `sequence` contains each of them. */
  readonly phrases: readonly RawBuilder<unknown>[];
}

/** Without parameters, in the transaction of the inserts. */
export interface ManyWords {
  readonly first: string;
  readonly beforeLast: string;
  readonly afterLast: string;
}

/** The differences between the engines' SQL. Everything else is the same text on both. */
export interface Dialect {
  readonly engine: "sqlite" | "postgres";
  /** Builds and compiles queries; they run on a `Connection`. */
  readonly builder: Kysely<Tables>;
  /** Column types; text sorts by code point. */
  readonly types: Readonly<Record<ColumnType, string>>;
  /** A primary key of increasing numbers that the database assigns. */
  readonly identity: string;
  /** The end of a select that locks its rows and skips rows that another transaction has locked. */
  readonly skipLocked: RawBuilder<unknown>;
  /** The text after the columns of `create table`; `clustered`: the primary key holds the rows. */
  readonly tableOptions: { readonly plain: string; readonly clustered: string };
  /** `column` equals an element of the bound list. */
  anyOf(
    column: RawBuilder<unknown>,
    list: RawBuilder<unknown>,
    type: ColumnType,
  ): RawBuilder<SqlBool>;
  /** The number of bounds in the bound ascending list up to the value of `column` is odd; null: no such function. */
  readonly within:
    | ((
        column: RawBuilder<unknown>,
        bounds: RawBuilder<unknown>,
        type: ColumnType,
      ) => RawBuilder<SqlBool>)
    | null;
  /** Whether a bound `RowTest` accepts the values; null: the engine cannot call functions of this process. */
  readonly test:
    | ((test: RawBuilder<unknown>, values: readonly RawBuilder<unknown>[]) => RawBuilder<SqlBool>)
    | null;
  /** An aggregate of all values of `column` as one value of a `RowTest`. */
  list(column: RawBuilder<unknown>, type: "text" | "number"): RawBuilder<unknown>;
  /** `column`, for a condition that no index is to serve. */
  unindexed(column: RawBuilder<unknown>): RawBuilder<unknown>;
  /** An aggregate of all values of `column` for `holds`. */
  collect(column: RawBuilder<unknown>, type: "text" | "number"): RawBuilder<unknown>;
  /** Whether the result of `collect` contains a bound value. Null without values. */
  holds(
    collected: RawBuilder<unknown>,
    value: RawBuilder<unknown>,
    type: "text" | "number",
  ): RawBuilder<SqlBool>;
  /** The elements of the bound list as a table `wanted` with the column `value`. */
  elements(list: RawBuilder<unknown>, type: ColumnType): RawBuilder<unknown>;
  /** `column` matches a bound pattern of `globPattern`. */
  glob(column: RawBuilder<unknown>, pattern: RawBuilder<unknown>): RawBuilder<SqlBool>;
  /** `parts` are the literal texts between the stars. */
  globPattern(parts: readonly string[]): string;
  /** The numbers of `column` in all rows as one text, separated by commas; null without rows. */
  numberList(column: RawBuilder<unknown>): RawBuilder<string | null>;
  /** `column` contains a bound text. */
  contains(column: RawBuilder<unknown>, needle: RawBuilder<unknown>): RawBuilder<SqlBool>;
  boolean(value: boolean): RawBuilder<SqlBool>;
  /**
   * Makes the table `table` of words with their index. Its columns are those of `wordColumns`; it takes
   * inserts and deletes.
   */
  createWords(table: string): string;
  /** Statements around inserts of many rows into a table of words; null: the engine needs none. */
  readonly manyWords: ManyWords | null;
  /** Drops what `createWords` created, in this version or an earlier one. */
  dropWords(table: string): string;
  /** The bound text for `versionsWithWords`. Words have letters, digits and `_` only. */
  wordsQuery(words: readonly string[]): string;
  /** A select of `row` and `valid_from` of the tenant's versions whose text satisfies the condition. */
  versionsWithWords(table: string, condition: BoundWords): RawBuilder<unknown>;
  /** Enables row-level security between tenants, if the engine has it. */
  fence(table: string): string;
  /** Allows a tenant to read platform records whose column `audience` names it, and their values. */
  admitAudience(table: string, valuesTable: string): string;
  /** Allows every tenant to read the platform's records and their values. */
  admitEveryone(table: string, valuesTable: string): string;
  /** Revokes `admitAudience` and `admitEveryone`. */
  closeFence(table: string, valuesTable: string): string;
  /** Allows the platform's transactions to append to every tenant's trail. */
  admitPlatform(table: string): string;
  /** Grants the server's role access to the tables and updates statistics. Runs after every schema change. */
  readonly admit: string;
  /** Provides the planner with assumed statistics of a new table, until it has real ones. */
  assume(target: InsertTarget): string;
  /** The names of the columns of each table; absent: there is no such table. */
  columnsOf(connection: Connection, tables: readonly string[]): Promise<NamesByTable>;
  /** The names of the indexes of each table, without those of primary keys; absent: it has none. */
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

/** Names that a transaction is going to look up. Transactions that wait look them up together. */
export interface Ahead {
  /** Names about the same object are looked up together. */
  readonly about: object;
  readonly names: readonly string[];
  /** Returns those of the names that a record has. */
  find(connection: Connection, names: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface Database {
  readonly dialect: Dialect;
  /** Reads see committed data of the tenants `cids` only. */
  read<Result>(
    cids: readonly string[],
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result>;
  /** As `read`, without a promise if `work` returns none and the engine runs in this process. */
  readNow<Result>(
    cids: readonly string[],
    work: (connection: Connection) => Awaitable<Result>,
  ): Awaitable<Result>;
  /**
   * One transaction: commits when `work` returns, and rolls back when it throws. `work` may run again if
   * the transaction before it failed late. `ahead`: what it is going to look up.
   */
  write<Result>(
    cid: string | null,
    work: (connection: Connection) => Promise<Result>,
    ahead?: Ahead | null,
  ): Promise<Result>;
  /** One transaction of the tables' owner, exclusive among all processes. Sees every tenant. */
  own<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** A number that changes with every change by any process; null if reading it takes a query. */
  version(): number | null;
  close(): Promise<void>;
}
