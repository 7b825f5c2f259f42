import type { Verdict } from "../change.ts";
import { oneLine } from "../json.ts";
import { isBreaking, isFailed, type Judgement } from "./report.ts";

const titles: Readonly<Record<Verdict, string>> = {
  major: "Breaking",
  minor: "Compatible additions",
  patch: "No effect on clients",
  none: "Without effect",
};

export function textReport(judgement: Judgement): string {
  const { verdict, changes, approved, failures, notes, base, revision } = judgement;
  const lines = [`${base.name} → ${revision.name}: ${verdict}`, ""];
  for (const level of ["major", "minor", "patch", "none"] as const) {
    const group = changes.filter((change) => change.verdict === level);
    if (group.length === 0) continue;
    lines.push(`${titles[level]} (${group.length})`);
    for (const finding of group) {
      const reason = approved.get(finding);
      const affected = finding.affects.length === 0 ? "" : ` [${finding.affects.join(", ")}]`;
      lines.push(
        `  ${finding.place}`,
        `    ${finding.rule}, ${finding.direction}: ${finding.message}${affected}`,
      );
      if (reason !== undefined) lines.push(`    approved: ${reason}`);
    }
    lines.push("");
  }
  for (const { rule, place, message } of failures) lines.push(`${rule}: ${place}: ${message}`);
  for (const note of notes) lines.push(`note: ${note}`);
  if (failures.length > 0 || notes.length > 0) lines.push("");
  lines.push(conclusion(judgement));
  return `${lines.map(oneLine).join("\n")}\n`;
}

/** The outcome in one sentence. */
export function conclusion(judgement: Judgement): string {
  const { changes, approved, failures, verdict } = judgement;
  const breaking = changes.filter((finding) => isBreaking(judgement, finding)).length;
  if (!isFailed(judgement)) {
    if (approved.size > 0) return `Passed: ${approved.size} breaking changes are approved.`;
    return changes.length === 0 ? "Passed: nothing changed for clients." : `Passed: ${verdict}.`;
  }
  const parts = [
    ...(breaking === 0 ? [] : [`${breaking} breaking ${breaking === 1 ? "change" : "changes"}`]),
    ...(failures.length === 0
      ? []
      : [`${failures.length} other ${failures.length === 1 ? "failure" : "failures"}`]),
  ];
  return `Failed: ${parts.join(" and ")}.`;
}
