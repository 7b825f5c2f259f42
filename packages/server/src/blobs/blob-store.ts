import type { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";

/** A stored file, identified by its content: equal bytes are one blob for all tenants. */
export interface StoredBlob {
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A file that a blob store has received, such as an upload, but that is no blob yet. */
export interface ReceivedFile extends StoredBlob {
  /** Opens the file or a range of it. */
  open(range?: ByteRange): Readable;
  /** Makes the file a blob, and resolves when the blob is durable. Afterwards `open` no longer works. */
  keep(): Promise<void>;
  /** Deletes the file. */
  discard(): Promise<void>;
}

/** Receives files that belong together, such as those of a form. Call `end` afterwards, even after an error. */
export interface Reception {
  /**
   * Receives a file with constant memory, if the store has a disk. The chunks cannot be used afterwards. Calls
   * `stored` with the size of each chunk that is received. If the content is interrupted, nothing is kept.
   */
  receive(
    content: AsyncIterable<Uint8Array | string>,
    stored?: (bytes: number) => void,
  ): Promise<ReceivedFile>;
  /** Deletes the files that were not kept. */
  end(): Promise<void>;
}

export interface ListedBlob extends StoredBlob {
  /** Time of the last put. A repeated put of the same content updates it. */
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
 * Files outside the database. The store holds only content; the database decides which tenant may read it. A
 * blob exists completely or not at all, even after a crash.
 */
export interface BlobStore {
  /**
   * Stores the content of a stream with constant memory. Throws `BlobTooLargeError` if it has more than
   * `limit` bytes. If it throws or the stream is interrupted, nothing is kept.
   */
  put(content: AsyncIterable<Uint8Array>, limit?: number): Promise<StoredBlob>;
  /** Begins to receive files that may become blobs. */
  receive(): Promise<Reception>;
  /** Size of a blob in bytes; null for an unknown one. */
  bytes(sha256: string): Promise<number | null>;
  /** Opens a blob or a range of it. Throws `BlobMissingError`. */
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  /**
   * Deletes a blob, and does nothing for an unknown one. With `before`, keeps a blob that was put again since
   * then. Returns whether the blob no longer exists.
   */
  delete(sha256: string, before?: Date): Promise<boolean>;
  /** Calls `listener` whenever this process adds or deletes blobs, with the bytes by which the store has grown. */
  watch(listener: (bytes: number) => void): void;
  /** All blobs, in the order of their hashes. */
  list(): AsyncIterable<ListedBlob>;
  /**
   * Removes remains of interrupted writes: those of ended processes, and those that have not changed since
   * `before`.
   */
  clear(before: Date): Promise<void>;
  /** The store's own pre-signed URL for GET. Absent: the store cannot create one. */
  readonly link?: (sha256: string, options: LinkOptions) => Promise<string>;
}

/** A blob store of a process with a disk. */
export interface DiskBlobs extends BlobStore {
  /**
   * The folder for files before they enter the store, with names of `incomingName`. After a process was
   * killed, `clear` removes its files.
   */
  incoming(): Promise<string>;
  /**
   * The folder for files that a job collects over several attempts. They survive a killed process; the
   * job removes them.
   */
  work(): Promise<string>;
}

/** Maximum size of a blob in bytes: the limit of S3-compatible stores for a single PUT. */
export const largestBlob = 5 * 1024 ** 3;

const batch = 500;

/**
 * Blobs put before `before` that no record refers to. `referenced` returns those of the hashes that records
 * refer to. `before` must be early enough to spare a write whose blob is stored but whose record is not.
 */
export async function* unreferencedBlobs(
  blobs: BlobStore,
  before: Date,
  referenced: (hashes: readonly string[]) => Promise<ReadonlySet<string>>,
): AsyncGenerator<ListedBlob> {
  let part: ListedBlob[] = [];
  const unused = async () => {
    const used = await referenced(part.map(({ sha256 }) => sha256));
    const unusedBlobs = part.filter(({ sha256 }) => !used.has(sha256));
    part = [];
    return unusedBlobs;
  };
  for await (const blob of blobs.list()) {
    if (blob.writtenAt < before) part.push(blob);
    if (part.length === batch) yield* await unused();
  }
  if (part.length > 0) yield* await unused();
}
