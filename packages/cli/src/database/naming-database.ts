import { StoreError, UnknownRowsError } from "@security-platform/server/internal";
import { CommandError } from "../terminal/exit-codes.ts";
import { databaseFile, printableUrl } from "./url.ts";

/** Does what needs a database. Its errors name the database, without a password. */
export async function namingDatabase<Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError) || error instanceof UnknownRowsError) throw error;
    if (error.message.includes(databaseFile(url) ?? url)) throw error;
    throw new CommandError(`${printableUrl(url)}: ${error.message}`, undefined, { cause: error });
  }
}
