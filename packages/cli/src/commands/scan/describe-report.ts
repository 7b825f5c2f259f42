import type { components } from "@security-platform/spec";
import { printable } from "../../terminal/printable.ts";
import { formatTable } from "../../terminal/table.ts";

export type Report = components["schemas"]["ImageReport"];
export type PolicyResult = components["schemas"]["PolicyCheckResult"];

const longestTitle = 100;

/** A report as text: vulnerabilities, then other findings, then the counts. */
export function describeReport(report: Report, name: string): string {
  const vulnerabilities = (report.Vulnerabilities ?? []).map(({ Vulnerability }) => ({
    severity: Vulnerability.Details.severity,
    package: Vulnerability.Product.Product,
    installed: Vulnerability.Product.MajorVersion,
    fixed_in: (Vulnerability.FixedVersions ?? []).join(", "),
    id: Vulnerability.CVEID,
  }));
  const detections = (report.Detections ?? []).map(({ Detection }) => ({
    severity: Detection.Severity,
    type: Detection.Type,
    check: Detection.Name,
    finding:
      Detection.Title.length > longestTitle
        ? `${Detection.Title.slice(0, longestTitle - 1)}…`
        : Detection.Title,
    line: Detection.Line ?? "",
  }));
  const parts = [
    ...(vulnerabilities.length === 0
      ? []
      : [formatTable(["severity", "package", "installed", "fixed_in", "id"], vulnerabilities)]),
    ...(detections.length === 0
      ? []
      : [formatTable(["severity", "type", "check", "finding", "line"], detections)]),
    summaryOf(report, name),
  ];
  return parts.join("\n");
}

function summaryOf(report: Report, name: string): string {
  const { OSInfo, Packages, ApplicationPackages, Unmatched = [] } = report;
  const libraries = ApplicationPackages.reduce((sum, each) => sum + each.libraries.length, 0);
  const system = OSInfo.Name === "" ? "no distribution" : `${OSInfo.Name} ${OSInfo.Version}`.trim();
  const unmatched =
    Unmatched.length === 0 ? "" : `; ${count(Unmatched.length, "package")} could not be matched`;
  return (
    `${printable(name)} (${printable(system)}): ${count(Packages.length, "package")}, ` +
    `${count(libraries, "library", "libraries")}, ` +
    `${count((report.Vulnerabilities ?? []).length, "vulnerability", "vulnerabilities")}, ` +
    `${count((report.Detections ?? []).length, "other finding")}${unmatched}\n` +
    `scan ${report.ScanInfo.ScanUUID ?? ""}\n`
  );
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** The decision of the policies, with the reason for a denial. */
export function describePolicy({
  deny,
  action,
  policy,
  conditions,
  evaluation_details,
}: PolicyResult): string {
  const name = printable(policy?.name ?? "");
  if (!deny) return `policy ${name}: ${action ?? "allow"}\n`;
  const reasons = (conditions ?? []).map(
    ({ property, operator, values }) => `${property} ${operator} ${values.join(", ")}`,
  );
  const matches = [
    ...(evaluation_details?.matched_cve_list ?? []),
    ...(evaluation_details?.matched_detection_list ?? []),
  ];
  const because = reasons.length === 0 ? "" : `: ${printable(reasons.join(" and "))}`;
  const shown = matches.slice(0, 20).map(printable).join(", ");
  const more = matches.length > 20 ? ` and ${matches.length - 20} more` : "";
  return `policy ${name} denies the image${because}\n${shown === "" ? "" : `  ${shown}${more}\n`}`;
}
