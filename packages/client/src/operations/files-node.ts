/** Files of Node.js, Bun and Deno; bundlers for browsers and workers do not use this file. */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, realpath, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ClientError } from "../wire/errors.ts";
import type { Files, FoundFile, SavedFile } from "./files.ts";

const chunkBytes = 256 * 1024;

export const files: Files = {
  canStream: true,
  find,
  target,
  save,
  sha256: () => {
    const hash = createHash("sha256");
    return { update: (chunk) => hash.update(chunk), hex: () => hash.digest("hex") };
  },
};

const pathOf = (path: string | URL): string =>
  resolve(typeof path === "string" ? path : fileURLToPath(String(path)));

async function find(location: string | URL): Promise<FoundFile> {
  const path = pathOf(location);
  const stats = await stat(path).catch((cause: unknown) => {
    throw new TypeError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  });
  if (!stats.isFile()) throw new TypeError(`${path} is not a file; pass a stream of its content`);
  const { size } = stats;
  return {
    name: basename(path),
    size,
    // A file that grows meanwhile, such as a log, is sent as it was.
    open: () => createReadStream(path, { highWaterMark: chunkBytes, end: Math.max(0, size - 1) }),
  };
}

/** Follows symlinks, and refuses devices and folders, which a rename would replace or fail on. */
async function target(location: string | URL): Promise<string> {
  const path = pathOf(location);
  const existing = await realpath(path).catch(() => undefined);
  if (existing === undefined) return path;
  const stats = await stat(existing);
  if (stats.isFile()) return existing;
  const remedy = stats.isDirectory() ? "add the name of the file" : "use stream()";
  throw new TypeError(`cannot write ${path}: it is not a file; ${remedy}`);
}

async function save(path: string, chunks: AsyncIterable<Uint8Array>): Promise<SavedFile> {
  const failed = (cause: unknown): never => {
    throw new ClientError(`cannot write ${path}: ${reasonOf(cause)}`, { cause });
  };
  const temporary = `${path}.${randomUUID()}.part`;
  const file = await open(temporary, "wx").catch(failed);
  let bytes = 0;
  let batch: Uint8Array[] = [];
  let written = Promise.resolve();
  const write = async (): Promise<void> => {
    const ready = batch;
    batch = [];
    await written;
    written = writeAll(file, ready).catch(failed);
    // Thrown before the next write; until then it must not count as unhandled.
    written.catch(() => undefined);
  };
  try {
    try {
      // Chunks are written together, while the next ones are received.
      let batchBytes = 0;
      for await (const chunk of chunks) {
        batch.push(chunk);
        batchBytes += chunk.byteLength;
        bytes += chunk.byteLength;
        if (batchBytes < chunkBytes) continue;
        batchBytes = 0;
        await write();
      }
      await write();
      await written;
    } finally {
      await file.close();
    }
    await rename(temporary, path).catch(failed);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return { path, bytes };
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  // A full disk may take a part; then the next write says why.
  let skipped = bytesWritten;
  for (const chunk of chunks) {
    if (skipped < chunk.byteLength) await file.appendFile(chunk.subarray(skipped));
    skipped = Math.max(0, skipped - chunk.byteLength);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is not a folder",
  EACCES: "access is denied",
  EPERM: "access is denied",
  ENOSPC: "the disk is full",
};

function reasonOf(error: unknown): string {
  const { code = String(error) } = error as { readonly code?: string };
  const reason = reasons[code];
  return reason === undefined ? code : `${code}, ${reason}`;
}
