/**
 * A process that imports the files of a folder until it is killed, and prints a line for each batch:
 * `node import-downloads.ts <database url> <cid> <folder> <folder of the store of files>`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalBlobs } from "../../src/blobs/local-blobs.ts";
import { systemClock } from "../../src/clock.ts";
import { filesBelow } from "../../src/imports/import-files.ts";
import { importRecords } from "../../src/imports/index.ts";
import { resources } from "../../src/resources.ts";
import { openStore } from "../../src/store/index.ts";

const [url = "", cid = "", folder = "", blobsFolder = ""] = process.argv.slice(2);
const store = await openStore({ url, clock: systemClock, resources });
await importRecords(store, {
  cid,
  kind: "downloads",
  clock: systemClock,
  lines: readFileSync(join(folder, "manifest.ndjson"), "utf8").trim().split("\n"),
  files: filesBelow(folder, new LocalBlobs(blobsFolder)),
  batch: 1,
  onProgress: ({ lines }) => process.stdout.write(`${lines}\n`),
});
await store.close();
