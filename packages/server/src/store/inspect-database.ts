import { systemClock } from "../foundation/clock.ts";
import type { Connection } from "./dialects/dialect.ts";
import { sql } from "./dialects/sql.ts";
import type { DatabaseLimits } from "./dialects/database-limits.ts";
import { layoutOf } from "./rows/columns.ts";
import { inspectSchema, migrations } from "./schema/migrate.ts";
import { arePrepareStepsDue } from "./schema/prepare-database.ts";
import type { Resource } from "./types/types.ts";

/** A database that a server can use. */
export interface InspectedDatabase {
  /** Whether the platform has not created its tables yet. */
  readonly isEmpty: boolean;
  /** Why an upgrade could not change the tables, although a server of this version runs; null if it could. */
  readonly upgradeProblem: string | null;
}

/**
 * What a server finds in a database. Throws `StoreError` and the errors of the engine if a server cannot use it. Changes
 * nothing.
 */
export async function inspectDatabase(
  url: string,
  limits: DatabaseLimits,
  resources: readonly Resource[],
): Promise<InspectedDatabase> {
  if (url.startsWith("sqlite:")) {
    const { inspectSqlite } = await import("./dialects/sqlite-node/copy-sqlite.ts");
    const isOwn = await inspectSqlite(url.slice("sqlite:".length), inspectSchema);
    return { isEmpty: !isOwn, upgradeProblem: null };
  }
  const { openPostgres } = await import("./dialects/postgres/postgres.ts");
  const database = openPostgres(url, limits);
  try {
    const found = await database.outside?.(async (connection) => {
      // As the first statements of a server, whose errors say what is wrong. Nothing of it stays.
      await connection.run("begin");
      try {
        return await inspectOwned(connection, resources);
      } finally {
        await connection.run("rollback");
      }
    });
    if (found === undefined) return { isEmpty: true, upgradeProblem: null };
    const { isDue, ...inspected } = found;
    // The start of a server would create the role of requests, and let the login use it.
    if (!isDue) await database.check();
    return inspected;
  } finally {
    await database.close();
  }
}

/** A server whose tables are those of its version creates and changes none. */
async function inspectOwned(
  connection: Connection,
  resources: readonly Resource[],
): Promise<InspectedDatabase & { readonly isDue: boolean }> {
  const isEmpty = !(await inspectSchema(connection));
  const known = { resources, clock: systemClock, steps: migrations };
  const isDue = isEmpty || (await arePrepareStepsDue(connection, known));
  if (!isDue) {
    const tables = resources.map((resource) => layoutOf(resource).table);
    const [foreign] = await connection.all(ownedByOthers(tables));
    if (foreign !== undefined) {
      return { isEmpty, isDue, upgradeProblem: `must be owner of table ${foreign.name}` };
    }
  }
  try {
    await connection.run("create table secplat_doctor (number integer)");
  } catch (error) {
    if (isDue || (error as EngineError).code !== lacksRight) throw error;
    return { isEmpty, isDue, upgradeProblem: (error as Error).message };
  }
  return { isEmpty, isDue, upgradeProblem: null };
}

/** The first of these tables that this login does not own, directly or as a member of a role. */
const ownedByOthers = (tables: readonly string[]) => sql<{ readonly name: string }>`
  select relname::text as name from pg_class
  where relnamespace = (select oid from pg_namespace where nspname = current_schema())
    and relkind in ('r', 'p') and relname = any(${tables}::text[])
    and not pg_has_role(relowner, 'usage')
  order by relname limit 1`;

const lacksRight = "42501";

/** By SQLSTATE of PostgreSQL. A request meets none of them in a database that was opened. */
const advice: Readonly<Record<string, readonly [problem: string, cure: string]>> = {
  "2BP01": [
    "objects of another program depend on tables of the platform",
    "drop these objects first, and create them again afterwards",
  ],
  "3F000": [
    "no schema of the search path exists",
    "choose one: alter role <login> set search_path = public",
  ],
  "42501": [
    "the login lacks a right",
    'grant it; the guide "Running it" lists the rights that a login needs',
  ],
  "42703": ["a column of the platform is missing", "restore the database from a backup"],
  "42883": ["a function of the platform is missing", "restore the database from a backup"],
  "42P01": ["a table of the platform is missing", "restore the database from a backup"],
  "42P07": ["another program has taken a name that the platform needs", "choose an empty database"],
  "42710": ["another program has taken a name that the platform needs", "choose an empty database"],
  "55000": ["the database cannot be used", "choose another database"],
};

interface EngineError extends Error {
  readonly code?: unknown;
  readonly errcode?: unknown;
  /** Only of PostgreSQL. */
  readonly detail?: string;
}

/**
 * What to do about an error of the engine, for whoever opens, migrates or copies a database. Null: not such an error.
 * The errors of requests do not come here: nobody who sends them can do anything about the database.
 */
export function adviceFor(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, errcode, message, detail } = error as EngineError;
  const key = errcode === 1 && message.startsWith("no such ") ? "42P01" : String(code);
  const found = advice[key];
  if (found === undefined) return null;
  // The detail of an error lists the objects, one a line.
  const reason = key === "2BP01" && detail !== undefined ? detail.replaceAll("\n", "; ") : message;
  return `${found[0]} (${reason}); ${found[1]}`;
}
