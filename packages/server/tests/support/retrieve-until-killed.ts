/**
 * A process that fetches requested files from hosts, and kills itself when it has come to a stage:
 * `node retrieve-until-killed.ts <database url> <blobs> <hosts> <stage>`. Without a stage it works until no job is left.
 */
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { LocalBlobs } from "../../src/blobs/local-blobs.ts";
import { systemClock } from "../../src/clock.ts";
import { retrieveFiles } from "../../src/domain/case-management/files/retrieve-files.ts";
import { HostDirectories } from "../../src/host-files/host-directories.ts";
import type { HostFiles } from "../../src/host-files/host-files.ts";
import { Worker } from "../../src/jobs/worker.ts";
import { createLogger } from "../../src/logger.ts";
import { resources } from "../../src/resources.ts";
import { openStore } from "../../src/store/index.ts";
import { testKeys } from "./secret-keys.ts";

const [databaseUrl = "", blobsFolder = "", hostsFolder = "", stage = ""] = process.argv.slice(2);

/** SIGKILL is like a power cut: no handler runs. */
const cameTo = (reached: string): void => {
  if (reached === stage) process.kill(process.pid, "SIGKILL");
};

const directories = new HostDirectories(hostsFolder);
const hostFiles: HostFiles = {
  find: async (aid, path) => {
    const found = await directories.find(aid, path);
    cameTo("found");
    return found;
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

const store = await openStore({ url: databaseUrl, clock: systemClock, resources, keys: testKeys });
const blobs = new KilledBlobs(blobsFolder);
const kind = retrieveFiles({ store, blobs, hostFiles, fileBytes: 10_000_000 });
const worker = new Worker({
  store,
  clock: systemClock,
  logger: createLogger("error"),
  kinds: [kind],
  leaseMilliseconds: 500,
  pollMilliseconds: 50,
});
worker.start();
const isLeft = async (state: "queued" | "running" | "failed"): Promise<boolean> =>
  (await store.jobs.list({ limit: 1, state, kind: kind.name })).length > 0;
while ((await isLeft("queued")) || (await isLeft("running")) || (await isLeft("failed"))) {
  // oxlint-disable-next-line no-await-in-loop -- until the lease of a killed process has ended, too
  await setTimeout(20);
}
await worker.stop();
await store.close();
