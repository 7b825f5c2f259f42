/**
 * A process that writes exports until every job has ended: `node export-until-killed.ts <database
 * url> <folder of blobs>`. It prints a line for each part of a file that it writes; a part is half a batch.
 */
import { setTimeout } from "node:timers/promises";
import type { BlobStore } from "../../src/blobs/blob-store.ts";
import { LocalBlobs } from "../../src/blobs/local-blobs.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { writeExports } from "../../src/domain/container/exports/write-export.ts";
import { resources } from "../../src/platform/resources.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import { workUntilDone } from "./work-until-done.ts";

const [url = "", folder = ""] = process.argv.slice(2);
const store = await openStoreAt({ url, clock: systemClock, resources });
let files = 0;

class PrintingBlobs extends LocalBlobs {
  override put(content: AsyncIterable<Uint8Array>): ReturnType<BlobStore["put"]> {
    files += 1;
    return super.put(this.#printed(content, files));
  }

  async *#printed(content: AsyncIterable<Uint8Array>, file: number): AsyncGenerator<Uint8Array> {
    let part = 0;
    for await (const bytes of content) {
      const middle = Math.floor(bytes.length / 2);
      for (const half of [bytes.subarray(0, middle), bytes.subarray(middle)]) {
        process.stdout.write(`${process.pid} file ${file} part ${part}\n`);
        part += 1;
        // Lets the parent read the line before the next part.
        await setTimeout(1);
        yield half;
      }
    }
  }
}

const parts = { store, blobs: new PrintingBlobs(folder), clock: systemClock };
// On a busy machine a running process may lose its lease.
const kind = { ...writeExports(parts), attempts: 20 };
await workUntilDone(store, [kind], 5_000);
