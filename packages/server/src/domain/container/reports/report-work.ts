import { expandImage } from "../scans/expand-image.ts";
import { evaluatePolicies } from "../image-policies/evaluate.ts";
import type { ImagePolicy } from "../image-policies/image-policies.ts";
import type { ImageReport, Scan } from "../scans/scans.ts";
import { toCyclonedx } from "./cyclonedx.ts";
import { toSarif } from "./sarif.ts";

/** What to make of a report. */
export type ReportWork =
  | { readonly kind: "cyclonedx-json" | "sarif" }
  | { readonly kind: "expand"; readonly scan: Scan }
  | {
      readonly kind: "evaluate";
      readonly policies: readonly ImagePolicy[];
      readonly scan: Scan;
      readonly now: Date;
    };

/** The result as JSON text in UTF-8. */
export function workOnReport(text: string, work: ReportWork): Uint8Array<ArrayBuffer> {
  const result = resultOf(JSON.parse(text) as ImageReport, work);
  return new TextEncoder().encode(JSON.stringify(result));
}

function resultOf(report: ImageReport, work: ReportWork): object {
  switch (work.kind) {
    case "cyclonedx-json":
      return toCyclonedx(report);
    case "sarif":
      return toSarif(report);
    case "expand":
      return expandImage(work.scan, report);
    case "evaluate":
      return evaluatePolicies(work.policies, work.scan, report, work.now);
  }
}
