import { DatabaseError } from "pg";
import { StoreError, StoreUnavailableError } from "../errors.ts";

const noPreparedStatements =
  "a pooler between the server and PostgreSQL does not keep prepared statements apart; set max_prepared_statements " +
  "of PgBouncer (1.21 or later) to 200 or more, or add --no-prepare";

const causes: Readonly<Record<string, string>> = {
  "08": "the connection failed",
  "28": "it refuses the user or the password; check the database URL",
  "3D": "the database does not exist; create it or check the database URL",
  "53": "it has no resources left (disk, memory or connections)",
  "57": "it is shutting down or was told to stop",
};

/** Causes by their whole code. */
const exactCauses: Readonly<Record<string, string>> = {
  "42P05": noPreparedStatements,
  "26000": noPreparedStatements,
};

/** Codes of the causes above that do not mean an unavailable database: a full disk, a cancelled query. */
const passing: ReadonlySet<string | undefined> = new Set(["53100", "57014"]);

/**
 * Returns a `StoreError` that says what to do if the cause is outside the server; otherwise the error itself.
 */
export function postgresFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof DatabaseError) {
    const cause = exactCauses[error.code ?? ""] ?? causes[error.code?.slice(0, 2) ?? ""];
    if (cause === undefined) return error;
    const Failure =
      passing.has(error.code) || cause === noPreparedStatements
        ? StoreError
        : StoreUnavailableError;
    return new Failure(`PostgreSQL: ${cause} (${error.message})`, { cause: error });
  }
  if (error instanceof StoreError || error instanceof TypeError) return error;
  const code = "code" in error ? ` (${String(error.code)})` : "";
  return new StoreUnavailableError(
    `PostgreSQL cannot be reached${code}; check that it runs and that the database URL is right`,
    { cause: error },
  );
}

/** Whether a unique index rejected the write of a statement. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "23505";

/** Whether the engine refuses a statement because an earlier one of the transaction failed. */
export const isConsequence = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "25P02";
