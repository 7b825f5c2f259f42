/** What differs between systems with files and those without. */
export interface Files {
  /** Whether any server accepts a streamed body. Browsers stream only over HTTP/2, and some never. */
  readonly canStream: boolean;
  /** Looks at a file. Throws a `TypeError` if it cannot be read. */
  find(path: string | URL): Promise<FoundFile>;
  /** The path that `save` writes to. Throws a `TypeError` if there is something other than a file. */
  target(path: string | URL): Promise<string>;
  /**
   * Writes a file under a temporary name, and renames it when it is complete. On an error it leaves nothing
   * behind, and an existing file as it was.
   */
  save(target: string, chunks: AsyncIterable<Uint8Array>): Promise<SavedFile>;
  sha256(): Sha256 | Promise<Sha256>;
}

export interface FoundFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Reads it from the start, at most `size` bytes. */
  open(): AsyncIterable<Uint8Array>;
}

/** A downloaded file. */
export interface SavedFile {
  /** The path of the file, with symlinks resolved. */
  readonly path: string;
  readonly bytes: number;
}

export interface Sha256 {
  update(chunk: Uint8Array): unknown;
  /** The hash in lower-case hexadecimal. */
  hex(): string;
}
