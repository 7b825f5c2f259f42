import { neededKeys } from "@security-platform/server/internal";
import type { CliContext } from "../terminal/cli-context.ts";
import { keyFileOf } from "./keys.ts";
import { databaseLimits, type DatabaseOptions } from "./options.ts";
import { databaseUrl } from "./url.ts";

/** The ids of the keys that the secrets in the database need and the key file lacks. */
export async function missingKeys(
  options: DatabaseOptions,
  context: CliContext,
): Promise<readonly string[]> {
  const needed = await neededKeys(databaseUrl(options, context), databaseLimits(options));
  const keys = keyFileOf(options, context);
  return needed.filter((id) => keys.find(id) === null);
}
