import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import type { StoredBlob } from "./blob-store.ts";
import { BlobTooLargeError } from "./errors.ts";

/**
 * Writes a new file and hashes it on the way; it is on the disk when the promise is kept. Whatever
 * goes wrong, no part of it is left. Throws `BlobTooLargeError`.
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

/** Makes the names in a folder outlive a crash. Windows neither can nor needs to. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
