import { CommandError, exitCodes } from "../terminal/exit-codes.ts";

const mebibyte = 2 ** 20;

/** Limits that no real image reaches, but a file that is crafted to exhaust the scanner. */
export interface Limits {
  /** Unpacked bytes of all layers together. */
  readonly unpackedBytes: number;
  /** Maximum compression ratio of a layer that unpacks to more than `ratioFrom` bytes. */
  readonly ratio: number;
  readonly ratioFrom: number;
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
  ratio: 200,
  ratioFrom: 512 * mebibyte,
  entries: 2_000_000,
  documentBytes: 16 * mebibyte,
  fileBytes: 256 * mebibyte,
  archiveBytes: 512 * mebibyte,
};

/** An image that cannot be scanned; the message gives the reason. */
export const cannotScan = (reason: string): CommandError =>
  new CommandError(`cannot scan the image: ${reason}`, exitCodes.usage);
