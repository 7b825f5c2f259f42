import { Option, type Command } from "commander";
import { readText } from "../options/read-text.ts";

export interface DatabaseOptions {
  readonly data: string;
  readonly database?: string;
}

/** `--data` and `--database`, the same on every command that opens the database. */
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
    );
}
