import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";
import {
  largestBlob,
  type StoredBlob,
  type DiskBlobs,
  type ListedBlob,
  type Reception,
} from "./blob-store.ts";
import { makeFolder, syncFolder } from "../foundation/sync-folder.ts";
import { BlobWatch } from "./blob-watch.ts";
import { BlobMissingError } from "./errors.ts";
import { DiskReception } from "./disk-reception.ts";
import { clearInterrupted, incomingName } from "./incoming.ts";
import { writeFile } from "./write-file.ts";

const shardPattern = /^[0-9a-f]{2}$/;
const hashPattern = /^[0-9a-f]{64}$/;

/**
 * Blobs in a folder. Each file is named by its hash and lies in a subfolder named by the hash's first two
 * digits. A blob is written to the folder `incoming`, flushed to disk, and then moved.
 */
export class LocalBlobs implements DiskBlobs {
  readonly #root: string;
  readonly #limit: number;
  readonly #watch = new BlobWatch();

  constructor(root: string, limit = largestBlob) {
    this.#root = root;
    this.#limit = limit;
  }

  async put(content: AsyncIterable<Uint8Array>, limit = this.#limit): Promise<StoredBlob> {
    const path = await this.#incomingPath();
    const blob = await writeFile(path, content, {
      limit: Math.min(limit, this.#limit),
      sync: true,
    });
    await this.#place(path, blob);
    return blob;
  }

  async receive(): Promise<Reception> {
    return DiskReception.begin(await this.incoming(), (path, blob) => this.#adopt(path, blob));
  }

  async #adopt(path: string, blob: StoredBlob): Promise<void> {
    const file = await open(path, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    const own = await this.#incomingPath();
    try {
      await rename(path, own);
    } catch (error) {
      if (codeOf(error) !== "EXDEV") throw error;
      await writeFile(own, createReadStream(path), { limit: this.#limit, sync: true });
      await rm(path);
    }
    await this.#place(own, blob);
  }

  async bytes(sha256: string): Promise<number | null> {
    try {
      return (await stat(this.#pathOf(sha256))).size;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    }
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    try {
      // The open file stays readable after the blob is deleted.
      const content = createReadStream(this.#pathOf(sha256), range ?? {});
      await once(content, "open");
      return content;
    } catch (error) {
      throw codeOf(error) === "ENOENT" ? new BlobMissingError(sha256) : error;
    }
  }

  async delete(sha256: string, before?: Date): Promise<boolean> {
    const path = this.#pathOf(sha256);
    if (before !== undefined) {
      const stats = await stat(path).catch(() => null);
      if (stats !== null && stats.mtime >= before) return false;
    }
    const size = (hash: string) => this.bytes(hash);
    await this.#watch.around(sha256, size, () => rm(path, { force: true }));
    return true;
  }

  watch(listener: (bytes: number) => void): void {
    this.#watch.watch(listener);
  }

  async *list(): AsyncGenerator<ListedBlob> {
    for (const shard of await namesIn(this.#root, shardPattern)) {
      for (const sha256 of await namesIn(join(this.#root, shard), hashPattern)) {
        const stats = await stat(this.#pathOf(sha256)).catch(() => null);
        if (stats !== null) yield { sha256, bytes: stats.size, writtenAt: stats.mtime };
      }
    }
  }

  async clear(before: Date): Promise<void> {
    await clearInterrupted(this.#incoming, "", before);
  }

  /** On the same disk as the blobs, so that a rename turns a file into a blob. */
  async incoming(): Promise<string> {
    await makeFolder(this.#incoming);
    return this.#incoming;
  }

  async work(): Promise<string> {
    const folder = join(this.#root, "work");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Replaces an existing file, which is either equal or damaged. */
  #place(path: string, blob: StoredBlob): Promise<void> {
    const size = (hash: string) => this.bytes(hash);
    return this.#watch.around(blob.sha256, size, () => this.#moveInto(path, blob));
  }

  async #moveInto(path: string, { sha256 }: StoredBlob): Promise<void> {
    const shard = join(this.#root, sha256.slice(0, 2));
    try {
      await makeFolder(shard);
      await rename(path, this.#pathOf(sha256));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    await syncFolder(shard);
  }

  async #incomingPath(): Promise<string> {
    return join(await this.incoming(), incomingName());
  }

  get #incoming(): string {
    return join(this.#root, "incoming");
  }

  #pathOf(sha256: string): string {
    if (!hashPattern.test(sha256)) throw new RangeError("not a SHA-256 in hex");
    return join(this.#root, sha256.slice(0, 2), sha256);
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

async function namesIn(folder: string, pattern: RegExp): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => pattern.test(name)).toSorted();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
