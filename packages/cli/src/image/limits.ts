import { CommandError, exitCodes } from "../terminal/exit-codes.ts";

const mebibyte = 2 ** 20;

/** Limits that no image of software reaches, but a file that is made to exhaust the scanner does. */
export interface Limits {
  /** Unpacked bytes of all layers together. */
  readonly unpackedBytes: number;
  /** How many times its packed size a layer may grow to, once it is larger than `ratioFrom`. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Files, folders and links of all layers together. */
  readonly entries: number;
  /** Manifests and configurations. */
  readonly documentBytes: number;
  /** The largest file that is read; larger ones are only listed. */
  readonly fileBytes: number;
  /** Inflated bytes of one Java archive, with the archives inside. */
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

/** An image that cannot be scanned: the reason, for people. */
export const cannotScan = (reason: string): CommandError =>
  new CommandError(`cannot scan the image: ${reason}`, exitCodes.usage);
