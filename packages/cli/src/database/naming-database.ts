import { adviceFor, StoreError, UnknownRowsError } from "@security-platform/server/internal";
import { CommandError } from "../terminal/exit-codes.ts";
import { databaseFile, printableUrl } from "./url.ts";

/** What is wrong with the database; null for an error that is not about it. */
export function databaseFailure(error: unknown): string | null {
  if (error instanceof StoreError && !(error instanceof UnknownRowsError)) return error.message;
  return adviceFor(error);
}

/** Does what needs a database. Its errors name the database, without a password. */
export async function namingDatabase<Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const problem = databaseFailure(error);
    if (problem === null || problem.includes(databaseFile(url) ?? url)) throw error;
    throw new CommandError(`${printableUrl(url)}: ${problem}`, undefined, { cause: error });
  }
}
