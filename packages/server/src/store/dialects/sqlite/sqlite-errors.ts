import {
  StoreBusyError,
  StoreError,
  StoreFullError,
  StoreOpenFilesError,
  StoreTimeoutError,
} from "../../types/errors.ts";

/** SQLite's result code if another connection is writing. */
export const busy = 5;

/** SQLite's result code if a statement is interrupted. */
export const interrupted = 9;

/** SQLite's primary result code; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

const full = 13;
const cannotOpen = 14;
/** The extended result code of a write error, such as for a file at its maximum size. */
const writeFailed = 778;

const causes: Readonly<Record<number, string>> = {
  [busy]: "another process has held its write lock for too long; stop that process or try again",
  [interrupted]: "a statement took too long",
  8: "it is read-only; give the server a file and a folder that it may write",
  10: "the disk failed or is full; nothing of the last change was kept",
  11: "it is damaged; restore it from a backup",
  [full]: "the disk is full; nothing of the last change was kept, free some space and try again",
  [cannotOpen]:
    "it cannot be opened; check that its folder exists and that the server may write there",
  26: "it is not a SQLite database; choose another file",
};

/**
 * Returns a `StoreError` that says what to do if the cause is outside the server; otherwise the error itself.
 */
export function sqliteFailure(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  const cause = code === undefined ? fileCause(error) : (causes[code] ?? formatCause(error));
  if (cause === undefined) return error;
  const Failure = failureOf(code, error);
  return new Failure(`database ${path}: ${cause}`, { cause: error });
}

function failureOf(code: number | undefined, error: unknown): typeof StoreError {
  if (code === busy) return StoreBusyError;
  if (code === interrupted) return StoreTimeoutError;
  if (code === full || (error as { errcode?: unknown }).errcode === writeFailed) {
    return StoreFullError;
  }
  return code === cannotOpen ? StoreOpenFilesError : StoreError;
}

/** A damaged number of the format has the code of any error. */
const formatCause = (error: unknown): string | undefined =>
  (error as Error).message === "unsupported file format" ? causes[11] : undefined;

function fileCause(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error)) return undefined;
  return `its folder cannot be made (${"code" in error ? String(error.code) : error.message})`;
}
