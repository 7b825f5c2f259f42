import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "@security-platform/server/internal";
import { CommandError } from "./exit-codes.ts";
import { writeProblem } from "./write-problem.ts";

/**
 * Writes a file that is complete or does not exist. Until then, its name ends with `.part`. Throws a `CommandError`
 * that names the file if the system refuses to write.
 */
export async function writeWholeFile(
  path: string,
  write: (append: (content: string | Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const failed = (error: unknown): never => {
    throw new CommandError(
      `cannot write ${path}: ${writeProblem(error, { ENOENT: "its folder does not exist" })}`,
    );
  };
  const incomplete = `${path}.part`;
  const file = await open(incomplete, "w", 0o600).catch(failed);
  try {
    try {
      await write((content) => file.appendFile(content).catch(failed));
      await file.sync().catch(failed);
    } finally {
      await file.close();
    }
    await rename(incomplete, path).catch(failed);
    await syncFolder(dirname(path)).catch(failed);
  } catch (error) {
    await rm(incomplete, { force: true });
    throw error;
  }
}
