import { StoreError } from "../types/errors.ts";
import type { NamesByTable } from "./dialect.ts";

/** The columns of our `schema_migrations` since the first version. Other programs have a table of this name as well. */
const ownColumns = ["number", "name", "applied_at"];

/**
 * Whether the platform has created the tables of a database, which are those of `Dialect.everyTable`. False: there are
 * none. Throws `StoreError` if another program has.
 */
export function areOwn(tables: NamesByTable): boolean {
  const steps = tables.get("schema_migrations");
  if (steps !== undefined && ownColumns.every((name) => steps.has(name))) return true;
  if (lackSteps(tables)) {
    throw new StoreError(
      "the table schema_migrations of the platform is missing; restore the database from a backup",
    );
  }
  const [first] = steps === undefined ? tables.keys() : ["schema_migrations"];
  if (first === undefined) return false;
  throw new StoreError(
    `this database holds a table "${first}" of another program; choose an empty or new database`,
  );
}

/** Like `areOwn`, for tables that are to be replaced. They may be damaged. */
export const mayReplace = (tables: NamesByTable): boolean => lackSteps(tables) || areOwn(tables);

/** Whether only the platform can have created these tables, although `schema_migrations` is missing. */
const lackSteps = (tables: NamesByTable): boolean =>
  !tables.has("schema_migrations") &&
  ["write_numbers", "record_revisions", "keyed_requests"].every((name) => tables.has(name));

/** Throws `StoreError` unless the platform has created the tables of a database. */
export function requireOwn(tables: NamesByTable): void {
  if (areOwn(tables)) return;
  throw new StoreError("this database has no tables of the platform; choose another database");
}
