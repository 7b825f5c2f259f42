import type { Readable } from "node:stream";
import type { StoredBlob } from "./blob-store.ts";
import type { ByteRange } from "./byte-range.ts";

/** A file that a blob store has received, such as an upload, but that is no blob yet. */
export interface ReceivedFile extends StoredBlob {
  /** Opens the file or a range of it. */
  open(range?: ByteRange): Readable;
  /** Makes the file a blob, and resolves when it is safe. Afterwards `open` does not work any more. */
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
