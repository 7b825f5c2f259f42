const mebibyte = 2 ** 20;

/** Limits that no real image reaches, but a file that is crafted to exhaust the scanner. */
export interface Limits {
  /** Unpacked bytes of all layers together, including those of archives in them that are read. */
  readonly unpackedBytes: number;
  /** Unpacked bytes of one layer. */
  readonly layerBytes: number;
  /** Maximum compression ratio of a layer or archive that unpacks to more than `ratioFrom` bytes. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Bytes after the end marker of a tar archive. Tools pad archives to whole records. */
  readonly trailingBytes: number;
  /** Files, folders and links of all layers together. */
  readonly entries: number;
  /** Manifests and configurations. */
  readonly documentBytes: number;
  /** The largest file that is read; larger ones are only listed. */
  readonly fileBytes: number;
  /** Decompressed bytes of one Java archive, including nested archives. */
  readonly archiveBytes: number;
}

export const defaultLimits: Limits = {
  unpackedBytes: 20 * 1024 * mebibyte,
  layerBytes: 10 * 1024 * mebibyte,
  ratio: 200,
  ratioFrom: 64 * mebibyte,
  trailingBytes: mebibyte,
  entries: 2_000_000,
  documentBytes: 16 * mebibyte,
  fileBytes: 256 * mebibyte,
  archiveBytes: 512 * mebibyte,
};

/** An image that cannot be scanned; the message gives the reason. */
export class ImageError extends Error {
  override readonly name = "ImageError";
  /** The limit that the image exceeds. */
  readonly limit: keyof Limits | undefined;

  constructor(reason: string, limit?: keyof Limits) {
    super(reason);
    this.limit = limit;
  }
}

export const cannotScan = (reason: string, limit?: keyof Limits): ImageError =>
  new ImageError(reason, limit);

/** The message of any thrown value, in one line. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);
