import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../../../foundation/sync-folder.ts";
import { logPath } from "./log-path.ts";
import { StoreError, StoreOpenFilesError } from "../../types/errors.ts";
import type { DurableLog } from "../sqlite/sqlite-database.ts";

/**
 * Brings the log of a database to the disk. SQLite would do this within the commit, and the event loop would wait for
 * the disk: for most of its time on a busy server. Connections commit with
 * `synchronous = normal`, so that SQLite itself waits for the disk only where the order of writes needs it.
 */
export class SqliteLog implements DurableLog {
  readonly #path: string;
  #file: FileHandle | undefined;
  #failure: StoreError | null = null;

  /** `path`: the database. */
  constructor(path: string) {
    this.#path = path;
  }

  async ready(): Promise<void> {
    this.check();
    try {
      // SQLite deletes the log only with the last connection, and that of the writer is still open.
      this.#file ??= await openNamed(logPath(this.#path));
    } catch (error) {
      throw new StoreOpenFilesError(
        `database ${this.#path}: its log cannot be opened (${(error as Error).message})`,
        { cause: error },
      );
    }
  }

  async sync(): Promise<void> {
    this.check();
    try {
      await this.#file?.datasync();
    } catch (error) {
      // The system may have forgotten what it could not write, and report success the next time.
      // Without the cause: even if the disk is full, space alone does not help, and callers should not try again.
      this.#failure = new StoreError(
        `database ${this.#path}: the disk failed (${(error as Error).message}); the last changes may be lost. ` +
          "No further change is accepted; check the disk, and restart the server",
      );
      throw this.#failure;
    }
  }

  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}

/** A loss of power may take the name of a new file, and so its content, until its folder is on the disk. */
async function openNamed(path: string): Promise<FileHandle> {
  const file = await open(path, "r+");
  try {
    await syncFolder(dirname(path));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
