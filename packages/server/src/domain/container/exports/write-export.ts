import type { Clock } from "../../../foundation/clock.ts";
import type { Context } from "../../../calls/context.ts";
import { ApiError } from "../../../foundation/errors.ts";
import { PermanentJobError, type JobKind, type RunningJob } from "../../../jobs/job-kind.ts";
import { exportKind, expiryOf, type ExportJob } from "./export-jobs.ts";
import { exportFile } from "./export-file.ts";
import { changeExport, endExport } from "./export-states.ts";
import { readRequest } from "./read-request.ts";

type Payload = { readonly id: string };
type Parts = Pick<Context, "store" | "blobs"> &
  Partial<Pick<Context, "storage">> & { readonly clock: Clock };

/** The pauses between the attempts take two and a half minutes in total. */
const attempts = 5;
/** Number of rows between progress reports. */
const reportEvery = 50_000;

/**
 * Writes the files of exports. A file is complete or does not exist, and the transaction that ends
 * the job refers to it, so an interrupted attempt leaves nothing visible.
 */
export const writeExports = ({ store, blobs, clock, storage }: Parts): JobKind<Payload> => ({
  name: exportKind,
  attempts,
  run: async (job) => {
    const started = await job.write((transaction) =>
      changeExport(transaction, job.payload.id, clock.now(), (stored) =>
        stored.file === null && stored.status !== "RESULT_DELETED"
          ? { ...stored, status: "IN_PROGRESS", retries: job.attempt - 1 }
          : null,
      ),
    );
    if (started === null) return;
    try {
      await storage?.requireRoom(job.cid);
      const { sha256, bytes } = await blobs.put(contentOf(started, job, { store, blobs }));
      const now = clock.now();
      const file = { file: sha256, bytes, expires_at: expiryOf(now) };
      return {
        commit: async (transaction) => {
          await endExport(transaction, started.id, now, { status: "DONE", ...file });
          return { bytes };
        },
      };
    } catch (error) {
      if (error instanceof ApiError) throw new PermanentJobError(error.message, { cause: error });
      if (job.attempt < attempts && !job.signal.aborted) await waitForRetry(job, clock);
      throw error;
    }
  },
  gaveUp: async ({ payload: { id }, now }, transaction) =>
    endExport(transaction, id, now, { status: "FAILED" }),
});

/** The attempt has failed already, so it does not matter if this write fails. */
async function waitForRetry(job: RunningJob<Payload>, clock: Clock): Promise<void> {
  const change = (stored: ExportJob): ExportJob => ({ ...stored, status: "WAITING_FOR_RETRY" });
  await job
    .write((transaction) => changeExport(transaction, job.payload.id, clock.now(), change))
    .catch(() => undefined);
}

async function* contentOf(
  { request, created_at }: ExportJob,
  { cid, now, signal, report }: RunningJob<Payload>,
  context: Pick<Context, "store" | "blobs">,
): AsyncGenerator<Uint8Array> {
  // Relative times in the filter refer to the launch, so that a retry selects the same records.
  const { exported, predicate, sort } = readRequest(request, new Date(created_at));
  const file = exportFile(exported, { ...context, cid, predicate, now }, sort, request.format);
  let reported = 0;
  for await (const { bytes, rows } of file) {
    signal.throwIfAborted();
    if (rows - reported >= reportEvery) {
      reported = rows;
      await report({ rows });
    }
    yield bytes;
  }
}
