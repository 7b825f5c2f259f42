import { statSync } from "node:fs";
import { credentialsFile } from "../demo/credentials.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { keyFileOf } from "./keys.ts";
import type { DatabaseOptions } from "./options.ts";
import { databaseUrl, dataFolder, isInMemory } from "./url.ts";

/** A file that other users of this machine can read or change. */
export interface ExposedFile {
  readonly file: string;
  /** The permissions in octal. */
  readonly mode: string;
}

/** The file of the keys and that of the demo's credentials, if other users can read or change them. */
export function exposedFiles(
  options: DatabaseOptions,
  context: CliContext,
): readonly ExposedFile[] {
  // Windows has no such bits.
  if (process.platform === "win32") return [];
  const isUsed = options.secretsKey !== undefined || !isInMemory(databaseUrl(options, context));
  const files = [
    ...(isUsed ? [keyFileOf(options, context).path] : []),
    credentialsFile(dataFolder(options, context)),
  ];
  return files.flatMap((file) => {
    const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    return (mode & 0o077) === 0 ? [] : [{ file, mode: mode.toString(8) }];
  });
}
