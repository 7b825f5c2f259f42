import { createHash } from "node:crypto";
import { open, rm, type FileHandle } from "node:fs/promises";
import type { StoredBlob } from "./blob-store.ts";
import { BlobTooLargeError } from "./errors.ts";

/** A file has two buffers: one is filled while the other is written. */
const bufferBytes = 256 * 1024;

interface WriteOptions {
  /** Maximum size in bytes. */
  readonly limit: number;
  /** Whether the file is on disk when the promise resolves. */
  readonly sync: boolean;
  /** Called with each chunk when it is no longer needed. */
  readonly copied?: (chunk: Uint8Array) => void;
}

/** Writes and hashes a new file. Leaves nothing behind if it fails. Throws `BlobTooLargeError`. */
export async function writeFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { limit, sync, copied }: WriteOptions,
): Promise<StoredBlob> {
  const handle = await open(path, "wx", 0o600);
  const digest = createHash("sha256");
  let bytes = 0;
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > limit) throw new BlobTooLargeError(limit);
      digest.update(chunk);
      yield chunk;
      copied?.(chunk);
    }
  }
  try {
    await writeChunks(handle, hashed());
    if (sync) await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
  return { sha256: digest.digest("hex"), bytes };
}

async function writeChunks(handle: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let filling = Buffer.allocUnsafe(bufferBytes);
  /** A small file needs only one buffer. */
  let other: typeof filling | undefined;
  let used = 0;
  let position = 0;
  let written = Promise.resolve();
  const startWrite = async (): Promise<void> => {
    await written;
    written = writeAll(handle, filling.subarray(0, used), position);
    // The next await reports it.
    written.catch(() => undefined);
    position += used;
  };
  try {
    for await (const chunk of chunks) {
      for (let rest = chunk; rest.length > 0;) {
        const part = rest.subarray(0, bufferBytes - used);
        filling.set(part, used);
        used += part.length;
        rest = rest.subarray(part.length);
        if (used < bufferBytes) continue;
        await startWrite();
        [filling, other] = [other ?? Buffer.allocUnsafe(bufferBytes), filling];
        used = 0;
      }
    }
    if (used > 0) await startWrite();
    await written;
  } finally {
    // The file must stay open until then, because its descriptor could be reused for another file.
    await written.catch(() => undefined);
  }
}

/** The system may write fewer bytes than requested. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await handle.write(
      bytes,
      written,
      bytes.length - written,
      position + written,
    );
    written += bytesWritten;
  }
}
