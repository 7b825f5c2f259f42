import type { DatabaseLimits } from "./dialects/database-limits.ts";
import { inspectSchema } from "./schema/migrate.ts";

/**
 * Whether the platform has created the tables of a database. Throws `StoreError` and the errors of the engine if a server
 * cannot use it. Changes nothing.
 */
export async function inspectDatabase(url: string, limits: DatabaseLimits): Promise<boolean> {
  if (url.startsWith("sqlite:")) {
    const { inspectSqlite } = await import("./dialects/sqlite-node/copy-sqlite.ts");
    return inspectSqlite(url.slice("sqlite:".length), inspectSchema);
  }
  const { openPostgres } = await import("./dialects/postgres/postgres.ts");
  const database = openPostgres(url, limits);
  try {
    const isOwn = await database.outside?.(async (connection) => {
      // As the first statements of a server, whose errors say what is wrong. Nothing of it stays.
      await connection.run("begin");
      try {
        const isReady = await inspectSchema(connection);
        await connection.run("create table secplat_doctor (number integer)");
        return isReady;
      } finally {
        await connection.run("rollback");
      }
    });
    return isOwn === true;
  } finally {
    await database.close();
  }
}

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
