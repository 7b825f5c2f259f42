import { defaultDatabaseLimits, type DatabaseLimits } from "@security-platform/server/internal";
import { Option, type Command } from "commander";
import { readInteger } from "../options/read-integer.ts";
import { readText } from "../options/read-text.ts";

export interface DatabaseOptions {
  readonly data: string;
  readonly database?: string;
  readonly secretsKey?: string;
  readonly prepare?: boolean;
  readonly connectTimeout?: number;
  readonly statementTimeout?: number;
}

/** `--data`, `--database` and others, the same on every command that opens the database. */
export function addDatabaseOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--data <folder>", "folder of the database and of the demo's credentials")
        .env("SECPLAT_DATA")
        .argParser(readText("a folder"))
        .default(".data")
        .helpGroup("Database:"),
    )
    .addOption(
      new Option(
        "--database <url>",
        "sqlite:<path> or postgres://user@host/name (default: SQLite in the data folder); " +
          "do not put a password here, because other users can see arguments: set the variable, or PGPASSWORD",
      )
        .env("SECPLAT_DATABASE")
        .helpGroup("Database:"),
    )
    .addOption(
      new Option(
        "--secrets-key <file>",
        "file with the keys that encrypt secrets in the database (default: secrets.key beside a SQLite " +
          "database, otherwise in the data folder)",
      )
        .env("SECPLAT_SECRETS_KEY")
        .argParser(readText("a file"))
        .helpGroup("Database:"),
    )
    .addOption(
      new Option(
        "--no-prepare",
        "PostgreSQL: do not prepare statements, as if the pooler could not keep those of its clients apart",
      )
        .env("SECPLAT_NO_PREPARE")
        .helpGroup("Database:"),
    )
    .addOption(
      new Option(
        "--connect-timeout <milliseconds>",
        "PostgreSQL: maximum time for connecting, and for waiting for a free connection",
      )
        .env("SECPLAT_CONNECT_TIMEOUT")
        .argParser(readInteger(1, longestTimer))
        .default(defaultDatabaseLimits.connectMilliseconds)
        .helpGroup("Database:"),
    )
    .addOption(
      new Option("--statement-timeout <milliseconds>", "maximum time of a statement; 0: no limit")
        .env("SECPLAT_STATEMENT_TIMEOUT")
        .argParser(readInteger(0, longestTimer - 60_000))
        .default(defaultDatabaseLimits.statementMilliseconds)
        .helpGroup("Database:"),
    );
}

/** Timers fire at once beyond this many milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** The limits of the database from a command's options. */
export const databaseLimits = (options: DatabaseOptions): DatabaseLimits => ({
  ...(options.prepare === false ? { prepare: false } : {}),
  connectMilliseconds: options.connectTimeout ?? defaultDatabaseLimits.connectMilliseconds,
  statementMilliseconds: options.statementTimeout ?? defaultDatabaseLimits.statementMilliseconds,
});
