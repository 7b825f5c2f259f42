import type { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";

/** A file by its content: the same bytes are one blob, whoever they belong to. */
export interface StoredBlob {
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface ListedBlob extends StoredBlob {
  /** When it was put last; another put of the same content counts. */
  readonly writtenAt: Date;
}

/** What an address is good for. */
export interface LinkOptions {
  /** What the caller's file shall be called. */
  readonly name: string;
  readonly from: Date;
  /** Whole seconds. */
  readonly seconds: number;
}

/**
 * Files outside the database. Which tenant may have which is the database's to say: here is content
 * only. A blob is there whole or not at all, also after a crash.
 */
export interface BlobStore {
  /**
   * Stores what the stream holds, with constant memory. Throws `BlobTooLargeError`; nothing of the
   * stream is kept then, nor when it breaks off.
   */
  put(content: AsyncIterable<Uint8Array>): Promise<StoredBlob>;
  /** Stores a file that has been read and hashed already, such as an upload; it is gone from `path` then. */
  adopt(path: string, blob: StoredBlob): Promise<void>;
  /** Length of a blob; null where there is none. */
  bytes(sha256: string): Promise<number | null>;
  /** The bytes, or those of the range. Throws `BlobMissingError`. */
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  /** Does nothing where there is none. */
  delete(sha256: string): Promise<void>;
  /** All blobs, in the order of their hashes. */
  list(): AsyncIterable<ListedBlob>;
  /** Removes what writes that were cut off before `before` have left. */
  clear(before: Date): Promise<void>;
  /** The store's own address of a blob, for GET without credentials; absent, it gives none. */
  readonly link?: (sha256: string, options: LinkOptions) => Promise<string>;
}

/** Bytes of the largest blob: what an S3-compatible store takes in one piece. */
export const largestBlob = 5 * 1024 ** 3;

const batch = 500;

/**
 * Blobs put before `before` that nothing refers to any more; `referenced` gives those of some hashes
 * that something refers to. `before` has to lie so far back that a write between its blob and its
 * record is not hit.
 */
export async function* unreferencedBlobs(
  blobs: BlobStore,
  before: Date,
  referenced: (hashes: readonly string[]) => Promise<ReadonlySet<string>>,
): AsyncGenerator<ListedBlob> {
  let part: ListedBlob[] = [];
  const unused = async () => {
    const used = await referenced(part.map(({ sha256 }) => sha256));
    const found = part.filter(({ sha256 }) => !used.has(sha256));
    part = [];
    return found;
  };
  for await (const blob of blobs.list()) {
    if (blob.writtenAt < before) part.push(blob);
    if (part.length === batch) yield* await unused();
  }
  if (part.length > 0) yield* await unused();
}
