import { where } from "@security-platform/fql";
import { fqlTables } from "@security-platform/spec";
import type { FileContent } from "../../../calls/answer.ts";
import type { Call, Caller } from "../../../calls/call.ts";
import { errors } from "../../../foundation/errors.ts";
import { selectInMemory } from "../../../records/list-in-memory.ts";
import { exportJobs, exportNoun, type ExportJob } from "./export-jobs.ts";

type ReadingCall = Pick<Call, "context" | "now"> & { readonly caller: Caller };

/** Number of recent exports of a tenant that queries can find. */
const mostFound = 100;

/** Ids of the tenant's last exports that match the filter, newest first. */
export async function findExports(
  { caller, context, now }: ReadingCall,
  filter: string | undefined,
): Promise<readonly string[]> {
  const { items } = await context.store.records(exportJobs, { cid: caller.cid }).page({
    predicate: where.everything,
    sort: [{ field: "created_at", direction: "desc" }],
    limit: mostFound,
    shape: "records",
    now,
  });
  const jobs = items.map((text) => JSON.parse(text) as ExportJob);
  const query = filter === undefined ? {} : { filter };
  return selectInMemory(jobs, query, fqlTables["export-jobs"].fields, now).map(({ id }) => id);
}

/** Reasons why an export has no file, by its status. */
const reasons: { readonly [Status in ExportJob["status"]]?: string } = {
  FAILED: "has failed and has no file; launch it again",
  CANCELED: "was canceled and has no file",
  RESULT_DELETED: "had a file that has expired; launch it again",
};

/** The file of an export; otherwise a 404 with the reason. */
export async function openExport(
  { caller, context, now }: ReadingCall,
  id: string,
): Promise<FileContent> {
  const records = context.store.records(exportJobs, { cid: caller.cid });
  const job = (await records.getComplete([id], now)).get(id);
  if (job === undefined) throw errors.recordsNotFound(exportNoun, [id]);
  const { status, file, bytes, resource, request, created_at } = job;
  if (status !== "DONE" || file === null || bytes === null) {
    const reason = reasons[status] ?? `is not done yet: its status is ${status}; try again later`;
    throw errors.fileMissing(`${exportNoun} ${id} ${reason}`, id);
  }
  const instant = created_at.replaceAll(/[-:]|\.\d+/g, "");
  return {
    name: `${resource}-${instant}.${request.format}`,
    mediaType: "application/octet-stream",
    bytes,
    tag: file,
    open: (range) => context.blobs.open(file, range),
  };
}
