/** The configuration of the blob store is wrong, or the store does not respond. */
export class BlobStoreError extends Error {
  override readonly name: string = "BlobStoreError";
}

export class BlobMissingError extends BlobStoreError {
  override readonly name = "BlobMissingError";
  readonly sha256: string;

  constructor(sha256: string) {
    super(`there is no file ${sha256}`);
    this.sha256 = sha256;
  }
}

export class BlobTooLargeError extends BlobStoreError {
  override readonly name = "BlobTooLargeError";
  /** Maximum size in bytes. */
  readonly limit: number;

  constructor(limit: number) {
    super(`the file is larger than the limit of ${limit} bytes`);
    this.limit = limit;
  }
}
