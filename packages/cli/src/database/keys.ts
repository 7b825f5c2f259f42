import { dirname, join, resolve } from "node:path";
import { FixedKeys, KeyFile, type Keyring } from "@security-platform/server/internal";
import type { Surroundings } from "../terminal/surroundings.ts";
import { makeFolder } from "./folder.ts";
import type { DatabaseOptions } from "./options.ts";
import { databaseFile, databaseUrl, dataFolder, isInMemory } from "./url.ts";

/** The encryption keys of a database. An in-memory database has its own key. */
export function openKeys(options: DatabaseOptions, surroundings: Surroundings): Keyring {
  const isTemporary = isInMemory(databaseUrl(options, surroundings));
  if (isTemporary && options.secretsKey === undefined) return new FixedKeys();
  return keyFileOf(options, surroundings);
}

/**
 * The file of `--secrets-key`, or `secrets.key` beside a SQLite database, otherwise in the data
 * folder. Only the latter is created when it is first needed: a mistyped path must not become a new
 * key.
 */
export function keyFileOf(options: DatabaseOptions, surroundings: Surroundings): KeyFile {
  const { secretsKey } = options;
  if (secretsKey !== undefined) {
    return new KeyFile(resolve(surroundings.workingFolder, secretsKey), { create: false });
  }
  const file = databaseFile(databaseUrl(options, surroundings));
  const folder = file === null ? dataFolder(options, surroundings) : dirname(file);
  return new KeyFile(join(folder, "secrets.key"), { create: true, makeFolder });
}
