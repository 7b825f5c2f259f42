import { open, realpath, stat, type FileHandle } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { BlobStore, StoredBlob } from "../blobs/blob-store.ts";
import { BlobTooLargeError } from "../blobs/errors.ts";

interface Refused {
  readonly problem: string;
}

/** Stores the files that lines name. */
export interface ImportFiles {
  /** Stores the file at a path, or returns the problem with it. */
  take(path: string): Promise<StoredBlob | Refused>;
  /** Whether a file with this content is stored. */
  has(sha256: string): Promise<boolean>;
}

/** File errors that a wrong line causes; all others are the system's. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "this user has no read permission",
  ELOOP: "a link that leads back to itself",
};

const mostReadBytes = 1024 * 1024;

/** The files inside a folder, after links are resolved. */
export function filesBelow(folder: string, blobs: BlobStore): ImportFiles {
  return {
    take: async (path) => {
      const file = await openBelow(folder, path).catch(reasonOf);
      if ("problem" in file) return file;
      try {
        const { size } = await file.stat();
        // The stream reserves this much memory even for a file of a few bytes.
        const highWaterMark = Math.min(Math.max(size, 1), mostReadBytes);
        return await blobs.put(file.createReadStream({ highWaterMark }));
      } catch (error) {
        if (error instanceof BlobTooLargeError) return { problem: error.message };
        throw error;
      } finally {
        await file.close();
      }
    },
    has: async (sha256) => (await blobs.bytes(sha256)) !== null,
  };
}

async function openBelow(folder: string, path: string): Promise<FileHandle | Refused> {
  const root = await realpath(folder);
  const place = await realpath(resolve(root, path));
  const way = relative(root, place);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    return { problem: "lies outside the folder" };
  }
  if (!(await stat(place)).isFile()) return { problem: "is no file" };
  return open(place);
}

function reasonOf(error: unknown): Refused {
  const problem = reasons[(error as NodeJS.ErrnoException).code ?? ""];
  if (problem === undefined) throw error;
  return { problem };
}
