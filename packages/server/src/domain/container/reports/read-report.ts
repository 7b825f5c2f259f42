import { text } from "node:stream/consumers";
import type { Context } from "../../../calls/context.ts";
import type { Scan } from "../scans/scans.ts";
import type { ReportWork } from "./report-work.ts";

/** Bytes of JSON that are worked on at once: a few milliseconds. The largest reports have about 100 MB. */
export const shortReport = 65_536;

interface Reader extends Pick<Context, "blobs"> {
  /** The tenant. */
  readonly cid: string;
}

/**
 * What `work` makes of the report of a scan, as JSON text in UTF-8. A thread reads large reports, so that
 * other requests need not wait.
 */
export async function workOn(
  { blobs, cid }: Reader,
  { report }: Scan,
  work: ReportWork,
): Promise<Uint8Array> {
  const open = () => blobs.open(report);
  const bytes = await blobs.bytes(report);
  if (bytes === null || bytes <= shortReport) {
    const { workOnReport } = await import("./report-work.ts");
    return workOnReport(await text(await open()), work);
  }
  const { workInThread } = await import("./threaded-reports.ts");
  return workInThread(cid, open, work);
}
