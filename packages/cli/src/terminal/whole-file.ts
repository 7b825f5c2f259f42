import { open, rename, rm, type FileHandle } from "node:fs/promises";

/** Writes a file that is complete or does not exist. Until then, its name ends with `.part`. */
export async function writeWholeFile<Result>(
  path: string,
  write: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const incomplete = `${path}.part`;
  try {
    const file = await open(incomplete, "w", 0o600);
    let result: Result;
    try {
      result = await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(incomplete, path);
    return result;
  } catch (error) {
    await rm(incomplete, { force: true });
    throw error;
  }
}
