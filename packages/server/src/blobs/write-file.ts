import { open, rm } from "node:fs/promises";
import type { StoredBlob } from "./blob-store.ts";
import { BlobTooLargeError } from "./errors.ts";
import { FileWriter } from "./file-writer.ts";

/**
 * Writes and hashes a new file. The file is on disk when the promise resolves. Leaves nothing behind if it
 * fails. Throws `BlobTooLargeError`.
 */
export async function writeFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<StoredBlob> {
  const file = await FileWriter.create(path);
  try {
    for await (const chunk of content) {
      if (file.bytes + chunk.length > limit) throw new BlobTooLargeError(limit);
      await file.add(chunk);
    }
  } catch (error) {
    await file.abandon();
    await rm(path, { force: true });
    throw error;
  }
  try {
    return await file.finish({ sync: true });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Flushes a folder's entries to disk. Windows neither supports nor needs this. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
