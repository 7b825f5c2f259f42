import { Option, type Command } from "commander";
import { readText } from "../options/read-text.ts";

export interface DatabaseOptions {
  readonly data: string;
  readonly database?: string;
  readonly secretsKey?: string;
}

/** `--data`, `--database` and `--secrets-key`, the same on every command that opens the database. */
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
    );
}
