import { dirname, join, resolve } from "node:path";
import { FixedKeys, KeyFile, type Keyring } from "@security-platform/server/internal";
import type { CliContext } from "../terminal/cli-context.ts";
import { makeFolder } from "./folder.ts";
import type { DatabaseOptions } from "./options.ts";
import { databaseFile, databaseUrl, dataFolder, isInMemory } from "./url.ts";

/** The encryption keys of a database. An in-memory database has its own key. */
export function openKeys(options: DatabaseOptions, context: CliContext): Keyring {
  const isTemporary = isInMemory(databaseUrl(options, context));
  if (isTemporary && options.secretsKey === undefined) return new FixedKeys();
  return keyFileOf(options, context);
}

/**
 * The file of `--secrets-key`, or `secrets.key` beside a SQLite database, otherwise in the data
 * folder. Only the latter is created when it is first needed: a mistyped path must not become a new
 * key.
 */
export function keyFileOf(options: DatabaseOptions, context: CliContext): KeyFile {
  const { secretsKey } = options;
  if (secretsKey !== undefined) {
    return new KeyFile(resolve(context.workingFolder, secretsKey), { create: false });
  }
  const file = databaseFile(databaseUrl(options, context));
  const folder = file === null ? dataFolder(options, context) : dirname(file);
  return new KeyFile(join(folder, "secrets.key"), { create: true, makeFolder });
}
