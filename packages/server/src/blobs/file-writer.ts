import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { moduleBeside, Thread } from "../threads/thread.ts";
import type { StoredBlob } from "./blob-store.ts";
import type { HashRequest } from "./hash-thread.ts";

/**
 * A file that fits into the first buffer is hashed here, because the thread would cost more than the hash.
 */
const firstBytes = 64 * 1024;
const largestBuffer = 1024 * 1024;
const mostBuffers = 4;
/** Memory for the buffers of all open files. With many files, buffers are as small as the first one. */
const memoryBytes = 64 * 1024 * 1024;
/** The disk starts to work while the rest of the file arrives. */
const bytesPerFlush = 8 * 1024 * 1024;

const hashing = new Thread<HashRequest, string | null>(
  moduleBeside(import.meta.url, "hash-thread"),
  { stays: true },
);
let files = 0;
let openFiles = 0;

/** The size of the next buffer of a file. */
const bufferBytes = (): number =>
  Math.max(firstBytes, Math.min(largestBuffer, Math.floor(memoryBytes / mostBuffers / openFiles)));

/**
 * Writes and hashes a new file while its content arrives. The main thread only collects the content; a
 * separate thread hashes it, and Node.js writes and flushes it in its thread pool. Call `finish` or `abandon`
 * at the end, even after an error.
 */
export class FileWriter {
  readonly #handle: FileHandle;
  readonly #file = (files += 1);
  readonly #free: Uint8Array[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #first: Uint8Array = new Uint8Array(new SharedArrayBuffer(firstBytes));
  #current = this.#first;
  #used = 0;
  #buffers = 0;
  #bytes = 0;
  #dispatched = 0;
  #flushed = 0;
  #flushing = false;
  #failure: { readonly error: unknown } | undefined;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
    openFiles += 1;
  }

  static async create(path: string): Promise<FileWriter> {
    return new FileWriter(await open(path, "wx", 0o600));
  }

  async #close(): Promise<void> {
    openFiles -= 1;
    await this.#handle.close();
  }

  /** Bytes added so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Copies a chunk. If there is no room, returns a promise; the chunk must not change until it resolves. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    this.#bytes += chunk.length;
    const rest = this.#copy(chunk);
    return rest.length === 0 ? undefined : this.#addRest(rest);
  }

  /** Closes the file. With `sync`, flushes it to disk first. */
  async finish({ sync }: { readonly sync: boolean }): Promise<StoredBlob> {
    try {
      const last = this.#current.subarray(0, this.#used);
      let sha256: string;
      if (this.#dispatched === 0) {
        sha256 = createHash("sha256").update(last).digest("hex");
        await writeAll(this.#handle, last, 0);
      } else {
        if (last.length > 0) this.#dispatch();
        const [hex] = await Promise.all([this.#endHash(), this.#settled()]);
        sha256 = hex ?? "";
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      if (sync) await this.#handle.sync();
      return { sha256, bytes: this.#bytes };
    } finally {
      await this.#close();
    }
  }

  /** Closes the file. The caller must delete it. */
  async abandon(): Promise<void> {
    await this.#settled();
    if (this.#dispatched > 0) {
      await this.#endHash().catch(() => undefined);
    }
    await this.#close();
  }

  #endHash(): Promise<string | null> {
    return hashing.call({ file: this.#file, before: this.#dispatched, end: true });
  }

  /** Returns the part for which there was no room. */
  #copy(chunk: Uint8Array): Uint8Array {
    let rest = chunk;
    for (;;) {
      const part = rest.subarray(0, this.#current.length - this.#used);
      this.#current.set(part, this.#used);
      this.#used += part.length;
      rest = rest.subarray(part.length);
      if (rest.length === 0 || !this.#takeBuffer()) return rest;
    }
  }

  /** Passes on a full buffer and takes another one. Returns false if all buffers are in use. */
  #takeBuffer(): boolean {
    let next = this.#free.pop();
    if (next === undefined && this.#buffers < mostBuffers) {
      next = new Uint8Array(new SharedArrayBuffer(bufferBytes()));
      this.#buffers += 1;
    }
    if (next === undefined) return false;
    this.#dispatch();
    this.#current = next;
    this.#used = 0;
    return true;
  }

  async #addRest(chunk: Uint8Array): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) {
      await Promise.race(this.#underWay);
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#takeBuffer()) rest = this.#copy(rest);
    }
  }

  /** Hashes and writes the current buffer. The buffer is free again afterwards. */
  #dispatch(): void {
    const buffer = this.#current;
    const bytes = buffer.subarray(0, this.#used);
    const position = this.#dispatched;
    this.#dispatched += bytes.length;
    this.#follow(this.#hashAndWrite(buffer, bytes, position));
  }

  async #hashAndWrite(buffer: Uint8Array, bytes: Uint8Array, position: number): Promise<void> {
    await Promise.all([
      hashing.call({ file: this.#file, before: position, bytes }),
      writeAll(this.#handle, bytes, position),
    ]);
    if (buffer !== this.#first) this.#free.push(buffer);
    this.#flush();
  }

  #flush(): void {
    if (this.#flushing || this.#dispatched - this.#flushed < bytesPerFlush) return;
    this.#flushing = true;
    this.#flushed = this.#dispatched;
    this.#follow(this.#startFlush());
  }

  async #startFlush(): Promise<void> {
    await this.#handle.datasync();
    this.#flushing = false;
  }

  #follow(work: Promise<void>): void {
    const followed: Promise<void> = work.then(
      () => void this.#underWay.delete(followed),
      (error: unknown) => {
        this.#failure ??= { error };
        this.#underWay.delete(followed);
      },
    );
    this.#underWay.add(followed);
  }

  /** The file must stay open until then, because its descriptor could be reused for another file. */
  async #settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
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
