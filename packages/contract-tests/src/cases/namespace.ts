import { hash } from "node:crypto";

/**
 * A name for test data, derived from the seed of the run and a key: two runs with the same seed use
 * the same names. Always 16 characters: `ct` and lower-case hex digits.
 */
export const namespaceOf = (seed: string, key: string): string =>
  `ct${hash("sha256", `${seed}/${key}`, "hex").slice(0, 14)}`;
