import type { Readable } from "node:stream";

/** A file on a host. */
export interface HostFile {
  /** The name of the file without folders. */
  readonly name: string;
  readonly bytes: number;
}

export interface OpenHostFile extends HostFile {
  /** Destroy it if it is not read to its end. */
  readonly content: Readable;
}

/** A full path on a host. */
export interface HostPath {
  /** The path as the caller wrote it. */
  readonly text: string;
  /** A drive letter comes without its colon. None of them is empty, `.` or `..`. */
  readonly segments: readonly [string, ...string[]];
}

/** A file that a response session has fetched. */
export interface FetchedFile {
  readonly session: string;
  readonly sha256: string;
}

/** The connection to hosts that files are fetched from. */
export interface HostFiles {
  /** Name and size of a file. Throws `HostFileError`. */
  find(aid: string, path: HostPath, signal: AbortSignal): Promise<HostFile>;
  /** The content of a file. Throws `HostFileError`. */
  open(aid: string, path: HostPath, signal: AbortSignal): Promise<OpenHostFile>;
  /** The hosts from which a session has fetched a file. */
  hostsOf(fetched: FetchedFile): Promise<readonly string[]>;
  /** A file that a session has fetched; the host is not contacted. Throws `HostFileError`. */
  openFetched(aid: string, fetched: FetchedFile): Promise<OpenHostFile>;
}

/** `missing`: the host has no such file. `away`: the host cannot be reached; a later attempt may succeed. */
export class HostFileError extends Error {
  override readonly name = "HostFileError";
  readonly reason: "missing" | "away";

  constructor(reason: "missing" | "away", message: string) {
    super(message);
    this.reason = reason;
  }
}
