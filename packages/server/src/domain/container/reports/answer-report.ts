import type { components } from "@security-platform/spec";
import type { Answer } from "../../../answer.ts";
import { readReport, type ScanCall } from "../scans/find-scans.ts";
import type { Scan } from "../scans/scans.ts";
import { toCyclonedx } from "./cyclonedx.ts";
import { toSarif } from "./sarif.ts";

type Format = components["schemas"]["ImageReportFormat"];

/** The report of a scan in the requested format. */
export async function answerReport(call: ScanCall, scan: Scan, format: Format): Promise<Answer> {
  const report = await readReport(call, scan);
  switch (format) {
    case "cyclonedx-json":
      return { kind: "object", object: toCyclonedx(report) };
    case "sarif":
      return { kind: "object", object: toSarif(report) };
    case "json":
      return { kind: "object", object: report };
  }
}
