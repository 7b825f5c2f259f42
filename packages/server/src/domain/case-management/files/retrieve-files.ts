import type { BlobStore } from "../../../blobs/blob-store.ts";
import { BlobTooLargeError } from "../../../blobs/errors.ts";
import { ApiError } from "../../../foundation/errors.ts";
import { HostFileError, type HostFiles } from "../../../host-files/host-files.ts";
import { readHostPath } from "../../../host-files/host-path.ts";
import { PermanentJobError, type JobKind, type RunningJob } from "../../../jobs/job-kind.ts";
import type { Storage } from "../../../storage/storage.ts";
import { writeWithin } from "../../../records/write.ts";
import { LeaseLostError, type Store, type Transaction } from "../../../store/index.ts";
import { everyCase } from "../access-tags/reader.ts";
import { contentMembers } from "./content-members.ts";
import { hostFileName } from "./file-name.ts";
import { caseFiles, sizeOf, withMembers, type StoredFile } from "./files.ts";

export const retrieveKind = "case-files.retrieve";

type Payload = { readonly id: string };

/** The pauses double up to an hour, so a host may be offline for most of a day. */
const attempts = 24;

const longestReason = 1_024;

interface RetrievalParts {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly hostFiles: HostFiles;
  /** Maximum size of a file in bytes. */
  readonly fileBytes: number;
  /** Absent or null: storage is not limited. */
  readonly storage?: Pick<Storage, "requireRoom"> | null;
}

/**
 * Fetches files from hosts: first the name and size, then the content. A process without a
 * connection to hosts does not run these jobs.
 */
export const retrieveFiles = (parts: RetrievalParts): JobKind<Payload> => ({
  name: retrieveKind,
  attempts,
  run: async (job) => {
    const file = await requestedFile(parts.store, job);
    if (file === null) return;
    try {
      await parts.storage?.requireRoom(job.cid);
      return await retrieve(parts, job, file);
    } catch (error) {
      throw job.signal.aborted ? error : failure(error);
    }
  },
  gaveUp: async ({ cid, payload: { id }, now, error }, transaction) => {
    const status_reason = error.slice(0, longestReason);
    await change(transaction, { cid, id, now }, { status: "failed", status_reason });
  },
});

/** Null if the file was deleted in the meantime. */
async function requestedFile(
  store: Store,
  { cid, payload: { id }, now }: RunningJob<Payload>,
): Promise<(StoredFile & Required<Pick<StoredFile, "retrieval">>) | null> {
  const file = (await store.records(caseFiles, everyCase(cid)).getComplete([id], now)).get(id);
  return file?.retrieval === undefined ? null : { ...file, retrieval: file.retrieval };
}

async function retrieve(
  { blobs, hostFiles, fileBytes }: RetrievalParts,
  job: RunningJob<Payload>,
  {
    id,
    cid,
    status,
    retrieval: { aid, file_path },
  }: NonNullable<Awaited<ReturnType<typeof requestedFile>>>,
) {
  const path = readHostPath(file_path);
  if ("problem" in path) throw new PermanentJobError(path.problem);
  const written = { cid, id, now: job.now };
  if (status === "requested") {
    const { name, bytes } = await hostFiles.find(aid, path, job.signal);
    const metadata = { status: "metadata" as const, name: hostFileName(name), ...sizeOf(bytes) };
    await job.write((transaction) => change(transaction, written, metadata));
  }
  const { content } = await hostFiles.open(aid, path, job.signal);
  const abort = (): void =>
    void content.destroy(new Error("another worker has taken over the job"));
  job.signal.addEventListener("abort", abort, { once: true });
  const blob = await blobs.put(content, fileBytes).finally(() => content.destroy());
  job.signal.removeEventListener("abort", abort);
  const members = await contentMembers(blobs, blob);
  return {
    commit: (transaction: Transaction) =>
      change(transaction, written, { status: "available", ...members }),
  };
}

/** Changes the file, unless it was deleted in the meantime. */
async function change(
  transaction: Transaction,
  { cid, id, now }: { readonly cid: string; readonly id: string; readonly now: Date },
  members: Partial<StoredFile>,
): Promise<void> {
  const file = (await transaction.records(caseFiles).getForUpdate([id])).get(id);
  if (file === undefined) return;
  await writeWithin(transaction, { cid, name: "case files retrieve", now }, async (writing) => {
    await writing.records(caseFiles).replace([withMembers(file, members)]);
  });
}

/**
 * The reported reason of a failed attempt. Messages of other errors could reveal internals of the
 * server.
 */
function failure(error: unknown): unknown {
  // An `ApiError` says that the storage is full. A later attempt may find room.
  const isPlain = error instanceof PermanentJobError || error instanceof ApiError;
  if (isPlain || error instanceof LeaseLostError) return error;
  if (error instanceof BlobTooLargeError) return new PermanentJobError(error.message);
  if (!(error instanceof HostFileError)) {
    return new Error("the file could not be fetched", { cause: error });
  }
  return error.reason === "missing" ? new PermanentJobError(error.message) : error;
}
