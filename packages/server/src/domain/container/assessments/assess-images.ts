import { mkdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { clearInterrupted } from "../../../blobs/incoming.ts";
import type { DiskBlobs } from "../../../blobs/blob-store.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { PermanentJobError, type JobKind, type RunningJob } from "../../../jobs/job-kind.ts";
import { OutgoingRefusedError, type Outgoing } from "../../../outgoing/outgoing.ts";
import type { Storage } from "../../../storage/storage.ts";
import { writeWithin } from "../../../records/write.ts";
import { LeaseLostError, type Store, type Transaction } from "../../../store/index.ts";
import { moduleBeside, Thread } from "../../../threads/thread.ts";
import { findAdvisories } from "../advisories/find-advisories.ts";
import type { ScanInventory } from "../images/inventory.ts";
import { defaultLimits, ImageError } from "../images/limits.ts";
import { clientOf } from "../registries/list-images.ts";
import { registries, type StoredRegistry } from "../registries/registries.ts";
import {
  assessKind,
  registryImages,
  type AssessmentState,
  type RegistryImage,
} from "../registries/registry-images.ts";
import { hostOf } from "../registries/registry-url.ts";
import { RegistryError } from "../registries/registry-client.ts";
import { mostPackages, packagesIn, scanImage, storeReport } from "../scans/make-scan.ts";
import { addScan, retireReplaced, type ReportedScan } from "../scans/store-scan.ts";
import { defaultPullLimits, pullImage, type PullLimits } from "./pull-image.ts";
import type { ReadReply, ReadRequest } from "./read-image-thread.ts";
import { platformsOf } from "./registry-manifests.ts";

type Payload = { readonly id: string };

interface AssessmentParts {
  readonly store: Store;
  readonly blobs: DiskBlobs;
  readonly outgoing: Outgoing;
  /** Absent or null: storage is not limited. */
  readonly storage?: Pick<Storage, "requireRoom"> | null;
  /** The clock for file timestamps. */
  readonly fileClock: Clock;
  readonly limits?: Partial<PullLimits>;
  /** Maximum time for reading one platform of an image. Default: 30 minutes. */
  readonly readMilliseconds?: number;
}

/** Images that one process assesses at a time; the others wait, so that other jobs can run. */
const atOnce = 2;
/** Maximum time of one attempt. The next one continues with the complete layers. */
const longestMilliseconds = 2 * 60 * 60_000;
const longestReading = 30 * 60_000;
const day = 24 * 60 * 60_000;

/** Prefix of the folders with the layers of an image. */
const folderPrefix = "image-";

/** The job is no longer needed: the registry was paused or deleted, or no longer has the image. */
class NotNeededError extends Error {
  override readonly name = "NotNeededError";
}

/**
 * Assesses an image of a registry: pulls its layers, makes an inventory of each platform, and stores the
 * scans as if a scanner had sent the inventories.
 */
export const assessImages = (parts: AssessmentParts): JobKind<Payload> => ({
  name: assessKind,
  atOnce,
  run: async (job) => {
    const { id } = job.payload;
    const folder = join(await parts.blobs.work(), `${folderPrefix}${id}`);
    const limit = AbortSignal.timeout(longestMilliseconds);
    const signal = AbortSignal.any([job.signal, limit]);
    try {
      const outcome = await assess(parts, { ...job, signal }, folder);
      await rm(folder, { recursive: true, force: true });
      return { commit: (transaction) => settle(transaction, id, job.now, outcome) };
    } catch (error) {
      if (job.signal.aborted || error instanceof LeaseLostError) throw error;
      if (error instanceof NotNeededError) {
        await rm(folder, { recursive: true, force: true });
        const waiting = { state: "waiting", reason: null } as const;
        return { commit: (transaction) => settle(transaction, id, job.now, waiting, true) };
      }
      const isFinal = isPermanent(error);
      if (isFinal) await rm(folder, { recursive: true, force: true });
      const reason = limit.aborted
        ? `it was not pulled within ${longestMilliseconds / 60_000} minutes`
        : reasonOf(error);
      throw isFinal ? new PermanentJobError(reason) : new Error(reason, { cause: error });
    }
  },
  gaveUp: async ({ payload: { id }, now, error }, transaction) => {
    await settle(transaction, id, now, { state: "failed", reason: error });
  },
});

interface Outcome {
  readonly state: AssessmentState;
  readonly reason: string | null;
  /** The assessed tags. */
  readonly tags?: readonly string[];
}

/** Stores the state of the image, unless it is gone. */
async function settle(
  transaction: Transaction,
  id: string,
  now: Date,
  { state, reason, tags }: Outcome,
  canceled = false,
): Promise<{ readonly [name: string]: string | boolean | null }> {
  const records = transaction.records(registryImages);
  const image = (await records.getForUpdate([id])).get(id);
  if (image !== undefined) {
    // A refresh may have found another tag in the meantime.
    const isCurrent = tags === undefined || image.tags.every((tag) => tags.includes(tag));
    await records.replace([{ ...image, state: isCurrent ? state : "waiting", reason }], now);
  }
  return canceled ? { canceled: true } : { state, reason };
}

async function assess(
  parts: AssessmentParts,
  job: RunningJob<Payload>,
  folder: string,
): Promise<Outcome> {
  const { store, blobs, outgoing, fileClock, limits } = parts;
  await clearInterrupted(
    await blobs.work(),
    folderPrefix,
    new Date(fileClock.now().getTime() - 2 * day),
  );
  await parts.storage?.requireRoom(job.cid);
  const { image, registry } = await subjectOf(store, job);
  const client = clientOf(registry, outgoing, job.signal);
  const platforms = await platformsOf(client, image.repository, image.digest);
  if (platforms.length === 0) return { state: "skipped", reason: "it is not a Linux image" };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const done = new Set(job.progress?.["platforms"] as readonly string[] | undefined);
  for (const platform of platforms) {
    if (done.has(platform.digest)) continue;
    const part = join(folder, platform.digest.replace(":", "-"));
    await pullImage({
      client,
      repository: image.repository,
      image: platform,
      folder: part,
      limits: { ...defaultPullLimits, ...limits },
      checkpoint: async () => {
        await utimes(folder, fileClock.now(), fileClock.now());
        await subjectOf(store, job);
      },
    });
    const results = await scansOf(parts, job, { image, registry, folder: part });
    done.add(platform.digest);
    await job.write(
      async (transaction) => {
        const ids = { image: image.id, registry: registry.id };
        await requireNeeded(transaction, ids);
        const author = { cid: job.cid, name: "images assess", now: job.now };
        await writeWithin(transaction, author, async (writing) => {
          for (const result of results) {
            await addScan(writing, result);
            await retireReplaced(writing, result.scan, image.replaced);
          }
        });
      },
      { progress: { platforms: [...done] }, large: true },
    );
    await rm(part, { recursive: true, force: true });
  }
  return { state: "assessed", reason: null, tags: image.tags };
}

interface Subject {
  readonly image: RegistryImage;
  readonly registry: StoredRegistry;
}

/** The image and its registry. Throws `NotNeededError`. */
async function subjectOf(
  store: Store,
  { cid, payload: { id }, now }: RunningJob<Payload>,
): Promise<Subject> {
  const image = (await store.records(registryImages, { cid }).getComplete([id], now)).get(id);
  if (image === undefined) throw new NotNeededError("the image is gone");
  const { registry: registryId } = image;
  const registry = (await store.records(registries, { cid }).getComplete([registryId], now)).get(
    registryId,
  );
  if (registry === undefined || registry.state === "paused") {
    throw new NotNeededError("the registry is paused or deleted");
  }
  return { image, registry };
}

/** Throws `NotNeededError` if the registry is paused or deleted, and prevents both until the transaction ends. */
async function requireNeeded(
  transaction: Transaction,
  ids: { readonly image: string; readonly registry: string },
): Promise<void> {
  const images = await transaction.records(registryImages).getForUpdate([ids.image]);
  const registriesById = await transaction.records(registries).getForUpdate([ids.registry]);
  const registry = registriesById.get(ids.registry);
  if (!images.has(ids.image) || registry === undefined || registry.state === "paused") {
    throw new NotNeededError("the registry is paused or deleted");
  }
}

/** One thread for all images, so that one of them is in memory. It stays for the next job. */
const reading = new Thread<ReadRequest, ReadReply>(
  moduleBeside(import.meta.url, "read-image-thread"),
  { stays: false, idleMilliseconds: 10_000 },
);

/** Reads an image in the thread, until the job is taken away. A file may keep its reader busy for ever. */
async function readInThread(
  request: ReadRequest,
  signal: AbortSignal,
  milliseconds: number,
): Promise<ReadReply> {
  signal.throwIfAborted();
  // A timer of 0 ms may come after a short reading.
  const limit = milliseconds === 0 ? AbortSignal.abort() : AbortSignal.timeout(milliseconds);
  const either = AbortSignal.any([signal, limit]);
  const end = (): void => void reading.end();
  either.addEventListener("abort", end, { once: true });
  try {
    limit.throwIfAborted();
    return await reading.call(request);
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new ImageError(`it cannot be read within ${milliseconds / 1_000} s`);
  } finally {
    either.removeEventListener("abort", end);
  }
}

/** The scans of a pulled image, one for each tag. Their reports are in the object store. */
async function scansOf(
  {
    store,
    blobs,
    readMilliseconds = longestReading,
  }: Pick<AssessmentParts, "store" | "blobs" | "readMilliseconds">,
  { cid, now, signal }: RunningJob<Payload>,
  { image, registry, folder }: Subject & { readonly folder: string },
): Promise<readonly ReportedScan[]> {
  const host = hostOf(registry.url);
  const { repository, tags } = image;
  const referenceOf = (tag: string) => ({ registry: host, repository, tag });
  const nameOf = (tag: string): string => `${host}/${repository}:${tag}`;
  const [first = ""] = tags;
  const inventoryOptions = {
    name: nameOf(first),
    reference: referenceOf(first),
    runMode: "registry" as const,
    version: "server",
    now,
  };
  const reply = await readInThread(
    { folder, limits: defaultLimits, inventory: inventoryOptions },
    signal,
    readMilliseconds,
  );
  if ("refused" in reply) throw new ImageError(reply.refused);
  const { inventory } = reply;
  const packages = packagesIn(inventory);
  if (packages > mostPackages) {
    throw new ImageError(`it has ${packages} packages; at most ${mostPackages} are assessed`);
  }
  const find = findAdvisories(store, cid, now);
  const results: ReportedScan[] = [];
  for (const tag of tags) {
    const body = named(inventory, nameOf(tag), tag);
    const { scan, report } = await scanImage(body, { cid, now, find });
    results.push({ scan: { ...scan, ...(await storeReport(blobs, report)) }, report });
  }
  return results;
}

const named = (body: ScanInventory, name: string, tag: string): ScanInventory => ({
  ...body,
  original_image_name: name,
  inventory: { ...body.inventory, ImageInfo: { ...body.inventory.ImageInfo, Tag: tag } },
});

const isPermanent = (error: unknown): boolean =>
  error instanceof ImageError ||
  error instanceof OutgoingRefusedError ||
  (error instanceof RegistryError && !error.temporary) ||
  isOutOfMemory(error);

/** Whether the image filled the memory of the thread. */
function isOutOfMemory(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  const isCause = cause instanceof Error && isOutOfMemory(cause);
  return isCause || code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** The reported reason. */
function reasonOf(error: unknown): string {
  if (isOutOfMemory(error)) return "its contents need too much memory";
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || "unknown error";
}
