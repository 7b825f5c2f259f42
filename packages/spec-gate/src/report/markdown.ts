import type { Finding, Verdict } from "../change.ts";
import { code, plainText } from "./markup.ts";
import { conclusion } from "./text.ts";
import { isBreaking, type Judgement } from "./report.ts";

/** A comment on a pull request is at most 65,536 characters long. */
const mostRows = 100;
const longest = 60_000;

const signs: Readonly<Record<Verdict, string>> = {
  major: "🔴 major: breaks clients",
  minor: "🟡 minor: compatible additions",
  patch: "🟢 patch: no effect on clients",
  none: "⚪ none",
};

export function markdownReport(judgement: Judgement): string {
  const { verdict, changes, approved, failures, notes } = judgement;
  const lines = [
    "<!-- spec-gate -->",
    `### API changes: ${signs[verdict]}`,
    "",
    conclusion(judgement),
    "",
  ];
  const breaking = changes.filter((finding) => isBreaking(judgement, finding));
  const accepted = changes.filter((finding) => approved.has(finding));
  const others = changes.filter(({ verdict: own }) => own === "minor" || own === "patch");
  if (breaking.length > 0) lines.push("#### Breaking", "", ...table(breaking), "");
  if (accepted.length > 0) {
    lines.push("#### Approved", "");
    for (const finding of accepted.slice(0, mostRows)) {
      lines.push(
        `- ${code(finding.rule)} at ${code(finding.place)}: ${plainText(approved.get(finding) ?? "")}`,
      );
    }
    lines.push("");
  }
  for (const { rule, place, message } of failures) {
    lines.push(`- ${code(rule)} ${code(place)}: ${plainText(message)}`);
  }
  if (others.length > 0) {
    lines.push(
      `<details><summary>${others.length} compatible changes</summary>`,
      "",
      ...table(others),
      "",
      "</details>",
    );
  }
  for (const note of notes) lines.push("", `> ${plainText(note)}`);
  const text = `${lines.join("\n")}\n`;
  if (text.length <= longest) return text;
  // A line that is cut could leave markup open.
  const end = text.lastIndexOf("\n", longest);
  return `${text.slice(0, end)}\n\n…cut: see the full report.\n`;
}

function table(findings: readonly Finding[]): readonly string[] {
  const rows = findings
    .slice(0, mostRows)
    .map(
      ({ rule, direction, place, message, affects }) =>
        `| ${code(place)} | ${code(rule)} | ${direction} | ${plainText(message)} | ${affects.join(", ")} |`,
    );
  const rest = findings.length - mostRows;
  return [
    "| place | rule | direction | what changed | affects |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    ...(rest > 0 ? ["", `…and ${rest} more.`] : []),
  ];
}
