import { createHash } from "node:crypto";

/**
 * A digest of a Go program without the values of its texts and numbers, which the compiler does not look into:
 * another example in the document needs no new compilation.
 */
export function goShape(source: string): string {
  const shape = source
    .replaceAll(/`[^`]*`/g, '""')
    .replaceAll(/^(?!\t").*$/gm, (line) => line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'))
    .replaceAll(/int64\(\d+\)/g, "int64(0)");
  return createHash("sha256").update(shape).digest("hex").slice(0, 12);
}
