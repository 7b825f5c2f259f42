import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { ApiError, type Client } from "@security-platform/client";
import { CommandError } from "../../terminal/exit-codes.ts";

/** Bytes per request. Only one part at a time is in memory. */
const partBytes = 8 * 1024 * 1024;

/**
 * Downloads the file of an export in parts. `path` is complete or does not exist. Returns its size.
 */
export async function saveExport(client: Client, id: string, path: string): Promise<number> {
  const incomplete = `${path}.part`;
  const file = await open(incomplete, "w", 0o600);
  let size: number;
  try {
    size = await copyParts(client, id, file);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(incomplete, { force: true });
    throw error;
  }
  await file.close();
  await rename(incomplete, path);
  return size;
}

async function copyParts(client: Client, id: string, file: FileHandle): Promise<number> {
  for (let start = 0; ;) {
    const Range = `bytes=${start}-${start + partBytes - 1}`;
    // oxlint-disable-next-line no-await-in-loop -- one part after the other
    const part = await client.container.downloadExport({ id, Range }).catch(emptyFile);
    if (part === null) return start;
    // oxlint-disable-next-line no-await-in-loop -- see above
    const bytes = Buffer.from(await part.data.arrayBuffer());
    // oxlint-disable-next-line no-await-in-loop -- see above
    await file.write(bytes);
    start += bytes.length;
    const range = part.response.headers.get("content-range");
    if (range === null) return start;
    const total = Number(/\/(\d+)$/.exec(range)?.[1]);
    if (!(bytes.length > 0 && start <= total)) {
      throw new CommandError(`the server answered ${Range} with ${range}`);
    }
    if (start === total) return start;
  }
}

/** No byte of an empty file can be requested: 416. */
function emptyFile(error: unknown): null {
  if (error instanceof ApiError && error.status === 416) return null;
  throw error;
}
