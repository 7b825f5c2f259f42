import { InvalidArgumentError } from "commander";
import { databaseProblem } from "./database-problem.ts";

/** Reads the URL of a replica. The message does not repeat it, because it may have a password. */
export function readReplica(value: string): string {
  if (!value.startsWith("sqlite:") && databaseProblem(value, "") === null) return value;
  throw new InvalidArgumentError(
    "Expected postgres://user@host/name, with a port of at most 65535, and with special characters of a password escaped, such as %40 for @.",
  );
}
