import type { Verdict } from "../change.ts";
import { oneLine } from "../json.ts";
import {
  changesOf,
  firstFew,
  headlineOf,
  otherOperations,
  placesOf,
  spotText,
  type Cause,
  type Report,
} from "./model.ts";

const titles: Readonly<Record<Verdict, string>> = {
  major: "Approved",
  minor: "Compatible additions",
  patch: "No effect on clients",
  none: "Without effect",
};

export function textReport(report: Report): string {
  const { base, revision, causes, failures, notes, outcome, verdict } = report;
  const isApproved = outcome === "approved";
  const level = isApproved ? headlineOf(report).words : (verdict ?? "cannot judge");
  const lines = [`${base.name} → ${revision.name}: ${level}`, ""];
  const groups: readonly (readonly [string, readonly Cause[]])[] = [
    ["Breaking", causes.filter(({ breaks }) => breaks)],
    ...(["major", "minor", "patch", "none"] as const).map(
      (each) =>
        [titles[each], causes.filter((cause) => cause.verdict === each && !cause.breaks)] as const,
    ),
  ];
  for (const [title, group] of groups) {
    if (group.length === 0) continue;
    const count = group.reduce((sum, { changes }) => sum + changes.length, 0);
    lines.push(`${title} (${count})`, ...group.flatMap((cause) => causeLines(report, cause)), "");
  }
  for (const { rule, place, message } of failures) lines.push(`${rule}: ${place}: ${message}`);
  for (const note of notes) lines.push(`note: ${note}`);
  if (failures.length > 0 || notes.length > 0) lines.push("");
  lines.push(report.conclusion);
  return `${lines.map(oneLine).join("\n")}\n`;
}

function causeLines(report: Report, cause: Cause): readonly string[] {
  const { rule, direction, message, affects, breaks, who, fix, approval } = cause;
  const affected = affects.length === 0 ? "" : ` [${affects.join(", ")}]`;
  const others = otherOperations(report, cause);
  const lines = [
    ...firstFew(placesOf(report, cause)).map((place) => `  ${place}`),
    `    ${rule}, ${direction}: ${message}${affected}`,
  ];
  if (others.length > 0) lines.push(`    also in ${firstFew(others).join(", ")}`);
  if (breaks) {
    const [first] = changesOf(report, cause);
    const { base, revision } = first?.locations ?? {};
    if (base && revision) lines.push(`    at ${spotText(base)} → ${spotText(revision)}`);
    const { values, approvalEntry } = first ?? {};
    if (values)
      lines.push(`    was ${values.base ?? "absent"}`, `    is ${values.revision ?? "absent"}`);
    lines.push(`    ${who}`, `    ${fix}`);
    if (approvalEntry) lines.push(`    to approve it: ${approvalEntry}`);
  }
  if (approval !== null) lines.push(`    approved: ${approval.reason} (until ${approval.expiry})`);
  return lines;
}
