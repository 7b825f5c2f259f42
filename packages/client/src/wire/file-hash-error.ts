import { CallError, type Failure } from "./errors.ts";

/** A downloaded file is not the one that was expected. */
export class FileHashError extends CallError {
  override readonly name = "FileHashError";
  /** The SHA-256 of the received bytes, in hexadecimal. */
  readonly sha256: string;
  readonly expectedSha256: string;

  constructor(operation: Failure, sha256: string, expectedSha256: string) {
    super(
      operation,
      `received a file with the SHA-256 ${sha256}, expected ${expectedSha256}; do not use what was received: read the record again for its current link and hash`,
    );
    this.sha256 = sha256;
    this.expectedSha256 = expectedSha256;
  }
}
