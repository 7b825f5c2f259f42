import type { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";

/** A stored file, identified by its content: equal bytes are one blob for all tenants. */
export interface StoredBlob {
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface ListedBlob extends StoredBlob {
  /** Time of the last put; a repeated put of the same content counts. */
  readonly writtenAt: Date;
}

/** The download that a URL allows. */
export interface LinkOptions {
  /** Suggested name for the downloaded file. */
  readonly name: string;
  readonly from: Date;
  /** Whole seconds. */
  readonly seconds: number;
}

/**
 * Files outside the database. This store holds content only; the database decides which tenant may read
 * it. A blob exists completely or not at all, even after a crash.
 */
export interface BlobStore {
  /**
   * Stores the content of a stream with constant memory. Throws `BlobTooLargeError`, also beyond `limit`
   * bytes. Keeps nothing when it throws or the stream breaks off.
   */
  put(content: AsyncIterable<Uint8Array>, limit?: number): Promise<StoredBlob>;
  /**
   * The folder for files on their way into the store. `clear` removes what a process that was killed has
   * left in it under a name that starts with `incomingPrefix`.
   */
  incoming(): Promise<string>;
  /** Moves a file into the store whose hash is known already, such as an upload. */
  adopt(path: string, blob: StoredBlob): Promise<void>;
  /** Size of a blob in bytes; null for an unknown one. */
  bytes(sha256: string): Promise<number | null>;
  /** Opens a blob or a range of it. Throws `BlobMissingError`. */
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  /**
   * Deletes a blob; does nothing for an unknown one. With `before`, a blob that was put again since then
   * stays. Returns whether there is no such blob any more.
   */
  delete(sha256: string, before?: Date): Promise<boolean>;
  /** All blobs, in the order of their hashes. */
  list(): AsyncIterable<ListedBlob>;
  /** Removes remains of writes that broke off before `before`. */
  clear(before: Date): Promise<void>;
  /** The store's own pre-signed URL for GET. Absent: the store has none. */
  readonly link?: (sha256: string, options: LinkOptions) => Promise<string>;
}

/** Maximum size of a blob in bytes: the limit of an S3-compatible store for a single PUT. */
export const largestBlob = 5 * 1024 ** 3;

/** What the names of files and folders in `incoming` start with. */
export const incomingPrefix = "secplat-upload-";

const batch = 500;

/**
 * Blobs put before `before` that no record refers to; `referenced` returns those of some hashes that have
 * a reference. `before` must be old enough to spare a write that has stored its blob but not its record.
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
