import { hash } from "node:crypto";

/**
 * A name for test data, derived from `RunContext.names` and a key. Always 16 characters: `ct` and lower-case hex
 * digits.
 */
export const namespaceOf = (names: string, key: string): string =>
  `ct${hash("sha256", `${names}/${key}`, "hex").slice(0, 14)}`;
