import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import type { StoredBlob } from "./blob-store.ts";
import { BlobTooLargeError } from "./errors.ts";

/**
 * Writes and hashes a new file; it is flushed to disk when the promise resolves. Leaves nothing behind
 * when it fails. Throws `BlobTooLargeError`.
 */
export async function writeFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<StoredBlob> {
  const file = await open(path, "wx", 0o600);
  try {
    const digest = createHash("sha256");
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > limit) throw new BlobTooLargeError(limit);
      digest.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
    await file.close();
    return { sha256: digest.digest("hex"), bytes };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

/** Flushes a folder's entries to disk. Windows neither supports nor needs it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
