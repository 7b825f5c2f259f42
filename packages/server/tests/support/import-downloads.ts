/**
 * A process that imports the files of a folder and stops in the middle of one, where it waits to be
 * killed: `node import-downloads.ts <database url> <cid> <folder> <blob folder> <whole files>`. It prints
 * the number of files before that one.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalBlobs } from "../../src/blobs/local-blobs.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { filesBelow } from "../../src/imports/import-files.ts";
import { importRecords } from "../../src/imports/index.ts";
import { resources } from "../../src/platform/resources.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";

const [url = "", cid = "", folder = "", blobsFolder = "", whole = ""] = process.argv.slice(2);

class StoppingBlobs extends LocalBlobs {
  #stored = 0;

  override async put(content: AsyncIterable<Uint8Array>): ReturnType<LocalBlobs["put"]> {
    if (this.#stored === Number(whole)) return super.put(this.#firstPart(content));
    this.#stored += 1;
    return super.put(content);
  }

  async *#firstPart(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of content) {
      yield part;
      process.stdout.write(`${this.#stored}\n`);
      // Keeps the process alive, which a promise alone does not.
      await new Promise(() => setInterval(() => undefined, 60_000));
    }
  }
}

const store = await openStoreAt({ url, clock: systemClock, resources });
await importRecords(store, {
  cid,
  kind: "downloads",
  clock: systemClock,
  lines: readFileSync(join(folder, "manifest.ndjson"), "utf8").trim().split("\n"),
  files: filesBelow(folder, new StoppingBlobs(blobsFolder)),
  batch: 1,
});
await store.close();
