import type { Finding, Verdict } from "../change.ts";
import { versionIn } from "./version.ts";
import { code, plainText } from "../report/markup.ts";
import type { Judgement } from "../report/report.ts";

const titles: Readonly<Record<Exclude<Verdict, "none">, string>> = {
  major: "Breaking changes",
  minor: "Additions",
  patch: "Other changes",
};

/** A changelog entry in Markdown, for users of the API. */
export function changelogEntry({ changes, revision }: Judgement, today: Date): string {
  const lines = [
    `## ${plainText(versionIn(revision.root))} (${today.toISOString().slice(0, 10)})`,
    "",
  ];
  for (const verdict of ["major", "minor", "patch"] as const) {
    const sentences = changes.filter((change) => change.verdict === verdict).map(sentence);
    if (sentences.length === 0) continue;
    lines.push(`### ${titles[verdict]}`, "", ...new Set(sentences), "");
  }
  if (lines.length === 2) lines.push("Nothing changes for clients.", "");
  return lines.join("\n");
}

function sentence({ operations, pointer, message, direction }: Finding): string {
  const where = operations[0] ?? "All operations";
  const member = memberOf(pointer);
  const of = member === undefined ? "" : ` (${member} in the ${direction})`;
  return `- ${code(where)}${of}: ${plainText(message)}.`;
}

/** `#/components/schemas/User/properties/address/properties/city` → `User.address.city`. */
function memberOf(pointer: string): string | undefined {
  const names = [...pointer.matchAll(/\/properties\/([^/]+)/g)].map(([, name]) => name);
  const [, component] = /\/components\/schemas\/([^/]+)/.exec(pointer) ?? [];
  const all = [...(component === undefined ? [] : [component]), ...names];
  if (all.length === 0) return undefined;
  return code(all.join(".").replaceAll("~1", "/").replaceAll("~0", "~"));
}
