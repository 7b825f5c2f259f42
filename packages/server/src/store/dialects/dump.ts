import type { NamesByTable } from "./dialect.ts";

/** Rows of a table, as lines of JSON. */
export interface TableRows {
  readonly table: string;
  readonly lines: readonly string[];
}

/** What to read of a table: a select without values. */
export interface TableQuery {
  readonly table: string;
  readonly select: string;
}

/** What to read, given the columns of all tables. Throws `StoreError` if it is not the database of the platform. */
export type TableQueries = (columns: NamesByTable) => readonly TableQuery[];
