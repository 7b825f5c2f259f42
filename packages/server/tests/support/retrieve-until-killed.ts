/**
 * A process that fetches requested files from hosts, and kills itself at the given stage: `node
 * retrieve-until-killed.ts <database url> <blobs> <hosts> <stage>`. Without a stage it works until
 * no job is left.
 */
import { Readable } from "node:stream";
import { LocalBlobs } from "../../src/blobs/local-blobs.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { retrieveFiles } from "../../src/domain/case-management/files/retrieve-files.ts";
import { HostDirectories } from "../../src/host-files/host-directories.ts";
import type { HostFiles } from "../../src/host-files/host-files.ts";
import { resources } from "../../src/platform/resources.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import { testKeys } from "./secret-keys.ts";
import { workUntilDone } from "./work-until-done.ts";

const [databaseUrl = "", blobsFolder = "", hostsFolder = "", stage = ""] = process.argv.slice(2);

/** SIGKILL is like a power cut: no handler runs. */
const cameTo = (reached: string): void => {
  if (reached === stage) process.kill(process.pid, "SIGKILL");
};

const directories = new HostDirectories(hostsFolder);
const hostFiles: HostFiles = {
  find: async (aid, path) => {
    const located = await directories.find(aid, path);
    cameTo("found");
    return located;
  },
  open: async (aid, path) => {
    const opened = await directories.open(aid, path);
    return { ...opened, content: Readable.from(chunks(opened.content)) };
  },
  hostsOf: (fetched) => directories.hostsOf(fetched),
  openFetched: (aid, fetched) => directories.openFetched(aid, fetched),
};
async function* chunks(content: Readable): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const chunk of content) {
    number += 1;
    if (number === 3) cameTo("half");
    yield chunk as Buffer;
  }
}

class KilledBlobs extends LocalBlobs {
  override async put(...parameters: Parameters<LocalBlobs["put"]>) {
    const blob = await super.put(...parameters);
    cameTo("stored");
    return blob;
  }
}

const store = await openStoreAt({
  url: databaseUrl,
  clock: systemClock,
  resources,
  keys: testKeys,
});
const blobs = new KilledBlobs(blobsFolder);
const kind = retrieveFiles({ store, blobs, hostFiles, fileBytes: 10_000_000 });
await workUntilDone(store, [kind], 5_000);
