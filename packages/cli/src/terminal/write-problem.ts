import { describeError, systemCode } from "./describe-error.ts";

const causes: Readonly<Record<string, string>> = {
  EACCES: "this user has no write permission",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file",
  EPERM: "this user has no write permission",
  EROFS: "the file system is read-only",
};

/** The reason in plain words why something cannot be written. `more`: further reasons by their error codes. */
export const writeProblem = (error: unknown, more: Readonly<Record<string, string>> = {}): string =>
  ({ ...causes, ...more })[systemCode(error) ?? ""] ?? describeError(error);
