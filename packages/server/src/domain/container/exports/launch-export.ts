import { where } from "@security-platform/fql";
import { errors } from "../../../foundation/errors.ts";
import { newUuid } from "../../../foundation/identifiers.ts";
import { write, type WritingCall } from "../../../records/write.ts";
import {
  exportJobs,
  exportKind,
  openStatuses,
  type ExportJob,
  type ExportRequest,
} from "./export-jobs.ts";
import { readRequest } from "./read-request.ts";

/** Maximum number of unfinished exports of a tenant. Lists show only this number of exports. */
const mostOpen = 100;
const retrySeconds = 60;

/** Queues an export. Returns its id. 400 for a wrong request, 429 for too many exports. */
export async function launchExport(call: WritingCall, request: ExportRequest): Promise<string> {
  readRequest(request, call.now);
  return write(call, async (writing) => {
    const { now, transaction } = writing;
    const jobs = writing.records(exportJobs);
    const open = where.anyOf("status", openStatuses);
    const ofResource = where.all(where.equal("resource", request.resource), open);
    if ((await jobs.stored.count(open, now)) >= mostOpen) {
      const until = Math.ceil(now.getTime() / 1_000) + retrySeconds;
      const problem = `the tenant has ${mostOpen} exports that have not ended`;
      throw errors.rateLimited(problem, retrySeconds, until);
    }
    const waits = (await jobs.stored.count(ofResource, now)) > 0;
    const job: ExportJob = {
      id: newUuid(),
      resource: request.resource,
      status: waits ? "WAITING" : "READY",
      retries: 0,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
      request,
      file: null,
      bytes: null,
      expires_at: null,
    };
    await jobs.insert([job]);
    const key = `export of ${request.resource}`;
    await transaction.enqueue({ kind: exportKind, key, payload: { id: job.id } }, now);
    return job.id;
  });
}
