import { StoreError } from "../errors.ts";

/** SQLite's primary result code, or undefined for another error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

const causes: Readonly<Record<number, string>> = {
  5: "another process has held its write lock for too long; stop that process or try again",
  8: "it is read-only; give the server a file and a folder that it may write",
  10: "the disk failed or is full; nothing of the last change was kept",
  11: "it is damaged; restore it from a backup",
  13: "the disk is full; nothing of the last change was kept, free some space and try again",
  14: "it cannot be opened; check that its folder exists and that the server may write there",
  26: "it is not a SQLite database; choose another file",
};

/** A `StoreError` that says what to do where the cause lies outside; otherwise the error itself. */
export function sqliteFailure(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  const cause = code === undefined ? fileCause(error) : causes[code];
  return cause === undefined
    ? error
    : new StoreError(`database ${path}: ${cause}`, { cause: error });
}

function fileCause(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error)) return undefined;
  return `its folder cannot be made (${"code" in error ? String(error.code) : error.message})`;
}
