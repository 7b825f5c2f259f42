import type { FileHandle } from "node:fs/promises";
import { ApiError, type Client } from "@security-platform/client";
import { CommandError } from "../../terminal/exit-codes.ts";
import { writeWholeFile } from "../../terminal/whole-file.ts";

/** Bytes per request. Only one part at a time is in memory. */
const partBytes = 8 * 1024 * 1024;

/**
 * Downloads the file of an export in parts. `path` is complete or does not exist. Returns its size.
 */
export const saveExport = (client: Client, id: string, path: string): Promise<number> =>
  writeWholeFile(path, (file) => copyParts(client, id, file));

async function copyParts(client: Client, id: string, file: FileHandle): Promise<number> {
  for (let start = 0; ;) {
    const Range = `bytes=${start}-${start + partBytes - 1}`;
    const part = await client.container.downloadExport({ id, Range }).catch(emptyFile);
    if (part === null) return start;
    const bytes = Buffer.from(await part.data.arrayBuffer());
    await file.appendFile(bytes);
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
