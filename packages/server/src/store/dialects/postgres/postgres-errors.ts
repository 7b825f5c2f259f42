import { DatabaseError } from "pg";
import {
  StoreBusyError,
  StoreError,
  StoreFullError,
  StoreReadOnlyError,
  StoreTimeoutError,
  StoreUnavailableError,
} from "../../types/errors.ts";

interface Kind {
  readonly reason: string;
  readonly Failure: new (message: string, options: ErrorOptions) => StoreError;
}

const mixedStatements: Kind = {
  reason:
    "a pooler between the server and PostgreSQL does not keep prepared statements apart; set max_prepared_statements " +
    "of PgBouncer (1.21 or later) to 200 or more, or add --no-prepare",
  Failure: StoreError,
};

const conflict: Kind = {
  reason: "transactions wait for each other; the work may be repeated",
  Failure: StoreBusyError,
};

const unavailable = (reason: string): Kind => ({ reason, Failure: StoreUnavailableError });

const noResources = "it has no resources left (disk, memory or connections)";

/** Citus gives a transaction on a node that went away the code of an internal error. */
const isNodeLost = ({ message }: DatabaseError): boolean =>
  /^(failure on connection marked as essential|could not commit transaction )/.test(message);

const nodeLost = unavailable("a node of it went away");

/** By the whole SQLSTATE or its first two characters. */
const kinds: Readonly<Record<string, Kind>> = {
  "08": unavailable("the connection failed"),
  "25006": {
    reason: "it is read-only, such as a standby; the address must lead to the primary server",
    Failure: StoreReadOnlyError,
  },
  "26000": mixedStatements,
  "28": unavailable("it refuses the user or the password; check the database URL and PGPASSWORD"),
  "3D": unavailable("the database does not exist; create it or check the database URL"),
  "40001": conflict,
  "40P01": conflict,
  "42P05": mixedStatements,
  "53": unavailable(noResources),
  "53100": { reason: noResources, Failure: StoreFullError },
  "55P03": conflict,
  "57": unavailable("it is shutting down or is being terminated"),
  "57014": { reason: "a statement took too long", Failure: StoreTimeoutError },
};

/**
 * Returns a `StoreError` that says what to do if the cause is outside the server; otherwise the error itself. `cut`: what
 * the engine said when it ended the connection between two statements; the next statement only fails.
 */
export function postgresFailure(error: unknown, cut: Error | null = null): unknown {
  if (!(error instanceof Error)) return error;
  if (cut instanceof DatabaseError && !(error instanceof DatabaseError)) {
    return postgresFailure(cut);
  }
  if (error instanceof DatabaseError) {
    const { code = "", message } = error;
    const kind = isNodeLost(error) ? nodeLost : (kinds[code] ?? kinds[code.slice(0, 2)]);
    if (kind === undefined) return error;
    return new kind.Failure(`PostgreSQL: ${kind.reason} (${message})`, { cause: error });
  }
  if (error instanceof StoreError || error instanceof TypeError) return error;
  // The driver finds that it has none.
  if (/client password must be/.test(error.message)) {
    return new StoreUnavailableError(
      "PostgreSQL: it asks for a password; set PGPASSWORD, or the password in the database URL",
      { cause: error },
    );
  }
  const code = "code" in error ? ` (${String(error.code)})` : "";
  const tls = tlsProblem(error);
  if (tls !== null) {
    return new StoreUnavailableError(`PostgreSQL: ${tls} (${error.message})`, { cause: error });
  }
  return new StoreUnavailableError(
    `PostgreSQL cannot be reached${code}; check that it runs and that the database URL is right`,
    { cause: error },
  );
}

/** What is wrong with the encryption of a connection; null for any other error. */
function tlsProblem(error: Error): string | null {
  if (/does not support SSL/.test(error.message)) {
    return "it does not offer the encryption that sslmode or ssl of the URL requires; enable TLS there, or set sslmode=disable";
  }
  const code = "code" in error ? String(error.code) : "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return "its certificate is for another host; name that host in the URL, or set sslmode=no-verify, which accepts any certificate";
  }
  return /CERT|^UNABLE_TO_/.test(code)
    ? "its certificate is not accepted; name the certificate of its issuer with sslrootcert in the URL, or set " +
        "sslmode=no-verify, which accepts any certificate"
    : null;
}

/** Whether a pooler gave a statement of one client to another. */
export const areStatementsMixed = ({ cause }: StoreError): boolean =>
  cause instanceof DatabaseError && kinds[cause.code ?? ""] === mixedStatements;

/** Whether a unique index rejected the write of a statement. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "23505";

/** Whether the engine refuses a statement because an earlier one of the transaction failed. */
export const isConsequence = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "25P02";
