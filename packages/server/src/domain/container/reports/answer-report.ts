import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { components } from "@security-platform/spec";
import type { Answer } from "../../../calls/answer.ts";
import type { ScanCall } from "../scans/find-scans.ts";
import type { Scan } from "../scans/scans.ts";
import { shortReport, workOn } from "./read-report.ts";

type Format = components["schemas"]["ImageReportFormat"];

const pieceBytes = 262_144;

/** The report of a scan in the requested format. */
export async function answerReport(
  { caller, context }: ScanCall,
  scan: Scan,
  format: Format,
): Promise<Answer> {
  const { blobs } = context;
  if (format === "json") {
    return answerWith((await blobs.bytes(scan.report)) ?? 0, () => blobs.open(scan.report));
  }
  const report = await workOn({ blobs, cid: caller.cid }, scan, { kind: format });
  return answerWith(report.length, () => Readable.from(piecesOf(report), { objectMode: false }));
}

async function answerWith(
  bytes: number,
  open: () => Readable | Promise<Readable>,
): Promise<Answer> {
  if (bytes > shortReport) return { kind: "large-object", bytes, open };
  return { kind: "object", object: JSON.parse(await text(await open())) as object };
}

function* piecesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
  }
}
