import type { Awaitable } from "../../awaitable.ts";
import type { Kysely, RawBuilder, SqlBool } from "kysely";
import type { Tables } from "../tables.ts";

/** What a statement can carry as a parameter; a list is for `anyOf`. */
export type Bindable = string | number | boolean | null | readonly (string | number | boolean)[];

export type ColumnType = "text" | "integer" | "number" | "boolean";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export interface InsertTarget {
  readonly table: string;
  readonly columns: readonly Column[];
}

/** One connection, checked out for one piece of work. */
export interface Connection {
  readonly dialect: Dialect;
  /** As `all`, without a promise where the engine runs in this process. */
  rows<Row>(text: string, parameters: readonly Bindable[]): Awaitable<readonly Row[]>;
  /** Runs one statement; statements are prepared once for each text. */
  all<Row>(text: string, parameters: readonly Bindable[]): Promise<readonly Row[]>;
  /** As `all`, with each row's values in the order selected: quicker where there are many rows. */
  tuples<Tuple extends readonly unknown[]>(
    text: string,
    parameters: readonly Bindable[],
  ): Promise<readonly Tuple[]>;
  /**
   * Runs a statement that returns no rows. May resolve before the engine has answered; if the statement
   * fails then, its transaction fails at the end. Only inside transactions.
   */
  send(text: string, parameters: readonly Bindable[]): Promise<void>;
  /** As `send`: inserts rows whose values are in the order of the target's columns. */
  insert(target: InsertTarget, rows: readonly (readonly Bindable[])[]): Promise<void>;
  /** Runs a script without parameters. */
  run(script: string): Promise<void>;
}

/** Where the two engines differ in SQL; whatever is not here is the same text on both. */
export interface Dialect {
  readonly engine: "sqlite" | "postgres";
  /** Builds and compiles queries; they run on a `Connection`. */
  readonly builder: Kysely<Tables>;
  /** Column types; text sorts by code point. */
  readonly types: Readonly<Record<ColumnType, string>>;
  /** A column of numbers that the database gives out, in growing order; the primary key. */
  readonly identity: string;
  /** Ends a select that locks its rows and passes over those that another transaction has locked. */
  readonly skipLocked: RawBuilder<unknown>;
  /** What stands behind the columns of `create table`; `clustered`: the rows live in the primary key. */
  readonly tableOptions: { readonly plain: string; readonly clustered: string };
  /** `column` equals an element of the bound list. */
  anyOf(
    column: RawBuilder<unknown>,
    list: RawBuilder<unknown>,
    type: ColumnType,
  ): RawBuilder<SqlBool>;
  /** The elements of the bound list as a table `wanted` with the column `value`. */
  elements(list: RawBuilder<unknown>, type: ColumnType): RawBuilder<unknown>;
  /** `column` matches a bound pattern made by `globPattern`. */
  glob(column: RawBuilder<unknown>, pattern: RawBuilder<unknown>): RawBuilder<SqlBool>;
  /** `parts` are the literal pieces between stars. */
  globPattern(parts: readonly string[]): string;
  /** The numbers of `column` in all rows as one text, separated by commas; null where there are none. */
  numberList(column: RawBuilder<unknown>): RawBuilder<string | null>;
  /** `column` contains a bound text. */
  contains(column: RawBuilder<unknown>, needle: RawBuilder<unknown>): RawBuilder<SqlBool>;
  boolean(value: boolean): RawBuilder<SqlBool>;
  /**
   * Makes the table `table` of words with their index. Its columns are those of `wordColumns`; it takes
   * inserts and deletes.
   */
  createWords(table: string): string;
  /** The bound text for `versionsWithWords`. Words have letters and digits only. */
  wordsQuery(words: readonly string[]): string;
  /** A select of `row` and `valid_from` of the tenant's versions that contain every word. */
  versionsWithWords(
    table: string,
    cid: RawBuilder<unknown>,
    words: RawBuilder<unknown>,
  ): RawBuilder<unknown>;
  /** Fences the tenants of a table off from each other, where the engine can. */
  fence(table: string): string;
  /** Lets a tenant read, past the fence, records whose column `audience` names it, and their values. */
  admitAudience(table: string, valuesTable: string): string;
  /** Lets every tenant read the platform's records past the fence, and their values. */
  admitEveryone(table: string, valuesTable: string): string;
  /** Undoes `admitAudience` and `admitEveryone`. */
  closeFence(table: string, valuesTable: string): string;
  /** Lets the platform's transactions append to every tenant's trail. */
  admitPlatform(table: string): string;
  /** Lets the server use tables that the owner made, and well; runs after every change of the schema. */
  readonly admit: string;
  /** Gives the planner an idea of a new table with its indexes, until it knows better. */
  assume(target: InsertTarget): string;
  columnsOf(connection: Connection, table: string): Promise<ReadonlySet<string>>;
  indexesOf(connection: Connection, table: string): Promise<ReadonlySet<string>>;
}

export interface Database {
  readonly dialect: Dialect;
  /** Reads see committed data of the tenants `cids` only. */
  read<Result>(
    cids: readonly string[],
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result>;
  /** As `read`; at once where `work` is, and the engine runs in this process. */
  readNow<Result>(
    cids: readonly string[],
    work: (connection: Connection) => Awaitable<Result>,
  ): Awaitable<Result>;
  /** One transaction: what `work` wrote stays when it returns, and is undone when it throws. */
  write<Result>(
    cid: string | null,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result>;
  /** One transaction of the tables' owner, alone among all processes; sees every tenant. */
  own<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Another number after every change by any process; null where telling that takes a question. */
  version(): number | null;
  close(): Promise<void>;
}
