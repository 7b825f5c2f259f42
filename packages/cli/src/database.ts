import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { openStore, resources, systemClock, type Store } from "@security-platform/server";
import { Option, type Command } from "commander";
import type { Surroundings } from "./terminal/streams.ts";

export interface DatabaseOptions {
  readonly data: string;
  readonly database?: string;
}

/** `--data` and `--database`, the same on every command that opens the database. */
export function addDatabaseOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--data <folder>", "folder of the database and the demo credentials")
        .env("SECPLAT_DATA")
        .default(".data"),
    )
    .addOption(
      new Option(
        "--database <url>",
        "sqlite:<path> or postgres://user:password@host/name (default: SQLite in the data folder)",
      ).env("SECPLAT_DATABASE"),
    );
}

export const dataFolder = (options: DatabaseOptions, { workingFolder }: Surroundings): string =>
  resolve(workingFolder, options.data);

export const databaseUrl = (options: DatabaseOptions, surroundings: Surroundings): string =>
  options.database ?? `sqlite:${join(dataFolder(options, surroundings), "platform.sqlite")}`;

/** Opens the store for the length of `work`. */
export async function withStore<Result>(
  options: DatabaseOptions,
  surroundings: Surroundings,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await open(options, surroundings);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export async function open(options: DatabaseOptions, surroundings: Surroundings): Promise<Store> {
  if (options.database === undefined) {
    mkdirSync(dataFolder(options, surroundings), { recursive: true });
  }
  return openStore({ url: databaseUrl(options, surroundings), clock: systemClock, resources });
}
