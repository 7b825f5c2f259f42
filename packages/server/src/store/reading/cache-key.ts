import { createHash } from "node:crypto";

/** Maximum length of a key. A filter may have 64 KiB, and a cache has thousands of keys. */
const longestKey = 1_000;

/** The key of a cached result that depends on these values. */
export function cacheKey(parts: readonly unknown[]): string {
  const text = JSON.stringify(parts);
  return text.length <= longestKey ? text : createHash("sha256").update(text).digest("base64url");
}
