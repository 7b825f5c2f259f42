import type { Verdict } from "../change.ts";
import { code, plainText } from "../report/markup.ts";
import { firstFew, type Cause, type Report } from "../report/model.ts";

const titles: Readonly<Record<Exclude<Verdict, "none">, string>> = {
  major: "Breaking changes",
  minor: "Additions",
  patch: "Other changes",
};

/** A changelog entry in Markdown, for users of the API. */
export function changelogEntry(report: Report, today: Date): string {
  const { causes, revision } = report;
  const lines = [`## ${plainText(revision.version)} (${today.toISOString().slice(0, 10)})`, ""];
  for (const verdict of ["major", "minor", "patch"] as const) {
    const sentences = causes
      .filter((cause) => cause.verdict === verdict)
      .map((cause) => sentence(report, cause));
    if (sentences.length === 0) continue;
    lines.push(`### ${titles[verdict]}`, "", ...new Set(sentences), "");
  }
  if (lines.length === 2) lines.push("Nothing changes for clients.", "");
  return lines.join("\n");
}

function sentence({ changes }: Report, cause: Cause): string {
  const { operations, message, direction } = cause;
  const where =
    operations.length === 0
      ? code("All operations")
      : firstFew(operations)
          .map((each, index) => (index === 5 ? each : code(each)))
          .join(", ");
  const members = new Set(cause.changes.flatMap((index) => changes[index]?.member ?? []));
  const of =
    members.size === 0
      ? ""
      : ` (${firstFew([...members])
          .map(code)
          .join(", ")} in the ${direction})`;
  return `- ${where}${of}: ${plainText(message)}.`;
}
