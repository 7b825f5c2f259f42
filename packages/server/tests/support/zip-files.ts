import { text } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";

/** The texts in an archive, by name. */
export async function filesOf(archive: Buffer): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
