import { TenantTurns } from "../../../threads/tenant-turns.ts";
import { moduleBeside, Thread } from "../../../threads/thread.ts";
import type { ReportWork } from "./report-work.ts";

export interface ReportRequest {
  /** The stored report. */
  readonly parts: readonly Uint8Array[];
  readonly work: ReportWork;
}

// It ends soon after the work: a large report takes hundreds of megabytes while it is parsed.
const thread = new Thread<ReportRequest, Uint8Array>(
  moduleBeside(import.meta.url, "report-thread"),
  { stays: false, idleMilliseconds: 1_000 },
);

const turns = new TenantTurns([thread]);

/**
 * What `work` makes of a report of the tenant `cid`, as JSON text in UTF-8. One report is read at a time, so that only
 * one is in memory. Tenants take turns.
 */
export const workInThread = (
  cid: string,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  work: ReportWork,
): Promise<Uint8Array> =>
  turns.run(cid, async (worker) => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    // Chunks of a file share their memory with others, so that it cannot go to the thread.
    for await (const chunk of await open()) parts.push(new Uint8Array(chunk));
    const moved = parts.map(({ buffer }) => buffer);
    return worker.call({ parts, work }, moved);
  });
