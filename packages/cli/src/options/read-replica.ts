import { InvalidArgumentError } from "commander";
import { databaseProblem } from "./database-problem.ts";

/** Reads the URL of a replica. The message does not repeat it, because it may have a password. */
export function readReplica(value: string): string {
  const isSqlite = value.startsWith("sqlite:");
  const problem = isSqlite ? null : databaseProblem(value, "Problem of the URL");
  if (!isSqlite && problem === null) return value;
  throw new InvalidArgumentError(
    "Expected postgres://user@host/name, with a port of at most 65535, and with special characters of a password escaped, such as %40 for @." +
      (problem === null ? "" : ` ${problem}.`),
  );
}
