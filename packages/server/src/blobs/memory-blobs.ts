import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Clock } from "../foundation/clock.ts";
import {
  largestBlob,
  type BlobStore,
  type ListedBlob,
  type StoredBlob,
  type ReceivedFile,
  type Reception,
} from "./blob-store.ts";
import { BlobWatch } from "./blob-watch.ts";
import type { ByteRange } from "./byte-range.ts";
import { BlobMissingError, BlobTooLargeError } from "./errors.ts";

interface Entry {
  readonly content: Buffer;
  readonly writtenAt: Date;
}

const hashPattern = /^[0-9a-f]{64}$/;

/** Keeps blobs beyond the end of the process. */
export interface KeptFiles {
  /** The blobs at the start, by their hashes. */
  readonly content: ReadonlyMap<string, Uint8Array>;
  write(sha256: string, content: Uint8Array): Promise<void>;
  remove(sha256: string): Promise<void>;
}

export interface MemoryBlobOptions {
  /** Maximum size of a blob in bytes. */
  readonly limit?: number;
  /** Default: nothing is kept. */
  readonly kept?: KeptFiles | undefined;
}

/** Blobs in the memory of this process. They are lost when it ends, unless `kept` stores them. */
export class MemoryBlobs implements BlobStore {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #kept: KeptFiles | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #watch = new BlobWatch();
  readonly #writes = new Map<string, Promise<void>>();

  constructor(clock: Clock, { limit = largestBlob, kept }: MemoryBlobOptions = {}) {
    this.#clock = clock;
    this.#limit = limit;
    this.#kept = kept;
    const writtenAt = clock.now();
    for (const [sha256, content] of kept?.content ?? []) {
      this.#entries.set(sha256, { content: Buffer.from(content), writtenAt });
    }
  }

  async put(content: AsyncIterable<Uint8Array>, limit = this.#limit): Promise<StoredBlob> {
    const most = Math.min(limit, this.#limit);
    let bytes = 0;
    const received = await collect(content, (more) => {
      bytes += more;
      if (bytes > most) throw new BlobTooLargeError(most);
    });
    return this.#keep(received);
  }

  async receive(): Promise<Reception> {
    return {
      receive: async (content, stored) => {
        const received = await collect(content, stored);
        return {
          ...describe(received),
          open: (range) => streamOf(received, range),
          keep: async () => void (await this.#keep(received)),
          discard: async () => undefined,
        } satisfies ReceivedFile;
      },
      end: async () => undefined,
    };
  }

  async bytes(sha256: string): Promise<number | null> {
    return this.#find(sha256)?.content.length ?? null;
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    const entry = this.#find(sha256);
    if (entry === undefined) throw new BlobMissingError(sha256);
    return streamOf(entry.content, range);
  }

  async delete(sha256: string, before?: Date): Promise<boolean> {
    const entry = this.#find(sha256);
    if (entry !== undefined && before !== undefined && entry.writtenAt >= before) return false;
    await this.#watch.around(
      sha256,
      (hash) => this.bytes(hash),
      async () => {
        if (entry !== undefined) await this.#kept?.remove(sha256);
        this.#entries.delete(sha256);
      },
    );
    return true;
  }

  watch(listener: (bytes: number) => void): void {
    this.#watch.watch(listener);
  }

  async *list(): AsyncGenerator<ListedBlob> {
    for (const sha256 of [...this.#entries.keys()].toSorted()) {
      const entry = this.#entries.get(sha256);
      if (entry === undefined) continue;
      yield { sha256, bytes: entry.content.length, writtenAt: entry.writtenAt };
    }
  }

  async clear(): Promise<void> {}

  /** Writes a blob. Uploads of the same content share one write. */
  #write(sha256: string, content: Buffer): Promise<void> {
    let write = this.#writes.get(sha256);
    if (write === undefined && this.#kept !== undefined) {
      write = this.#kept.write(sha256, content).finally(() => this.#writes.delete(sha256));
      this.#writes.set(sha256, write);
    }
    return write ?? Promise.resolve();
  }

  async #keep(content: Buffer): Promise<StoredBlob> {
    const blob = describe(content);
    await this.#watch.around(
      blob.sha256,
      (hash) => this.bytes(hash),
      async () => {
        if (!this.#entries.has(blob.sha256)) await this.#write(blob.sha256, content);
        this.#entries.set(blob.sha256, { content, writtenAt: this.#clock.now() });
      },
    );
    return blob;
  }

  #find(sha256: string): Entry | undefined {
    if (!hashPattern.test(sha256)) throw new RangeError("not a SHA-256 in hex");
    return this.#entries.get(sha256);
  }
}

async function collect(
  content: AsyncIterable<Uint8Array | string>,
  stored: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk);
    stored(bytes.length);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

const describe = (content: Buffer): StoredBlob => ({
  sha256: createHash("sha256").update(content).digest("hex"),
  bytes: content.length,
});

const streamOf = (content: Buffer, range?: ByteRange): Readable =>
  Readable.from([range === undefined ? content : content.subarray(range.start, range.end + 1)], {
    objectMode: false,
  });
