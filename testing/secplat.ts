import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "packages/cli/dist");

type Hashes = Readonly<Record<string, string>>;

/** The hashes of files, by path relative to `folder`. */
export const sourceHashes = (folder: string, paths: readonly string[]): Hashes =>
  Object.fromEntries(
    paths.toSorted().map((path) => [
      path,
      createHash("sha1")
        .update(readFileSync(join(folder, path)))
        .digest("base64"),
    ]),
  );

/** Whether the bundle of `secplat` exists and was built from the current sources. */
export function isBundleCurrent(): boolean {
  try {
    const built = JSON.parse(readFileSync(join(dist, "sources.json"), "utf8")) as Hashes;
    const current = sourceHashes(root, Object.keys(built));
    return Object.entries(built).every(([path, hash]) => current[path] === hash);
  } catch {
    return false;
  }
}

/** A short process spends less time on garbage collection if its young generation starts large. */
const memory = "--min-semi-space-size=16";

/** The arguments of Node.js before the path of a source file to run. */
export const sourceArguments: readonly string[] = [
  memory,
  "--conditions=@security-platform/source",
];

/**
 * The arguments of Node.js that run `secplat`: its bundle, which starts in half the time, or its sources if
 * the bundle is not current.
 */
export const secplatArguments: readonly string[] = isBundleCurrent()
  ? [memory, join(dist, "bin.js")]
  : [...sourceArguments, join(root, "packages/cli/src/bin.ts")];
