import type { Files } from "./files.ts";

const noFiles = async (): Promise<never> => {
  throw new TypeError("this system has no files; use a Blob or a stream instead of a path");
};

/** The access to files in browsers and workers, which have none. */
export const files: Files = {
  canStream: false,
  find: noFiles,
  target: noFiles,
  save: noFiles,
  // The hash of the Web Crypto API needs the whole file in memory.
  sha256: async () => {
    const { sha256 } = await import("@noble/hashes/sha2.js");
    const { bytesToHex } = await import("@noble/hashes/utils.js");
    const hash = sha256.create();
    return { update: (chunk) => hash.update(chunk), hex: () => bytesToHex(hash.digest()) };
  },
};
