import type { Finding } from "./finding.ts";
import type { SourceFile } from "./source-file.ts";
import { isObject } from "./specification.ts";

/** An accepted finding: the rule, the file, the `found` text, and a reason. */
interface Exception {
  readonly rule: string;
  readonly file: string;
  readonly found: string;
  readonly reason: string;
}

const members = ["rule", "file", "found", "reason"] as const;

/**
 * Removes the accepted findings. An entry that matches no finding, and an entry without a reason, are
 * findings themselves.
 */
export function applyExceptions(
  findings: readonly Finding[],
  file: SourceFile | undefined,
): readonly Finding[] {
  if (file === undefined) return findings;
  const entries = Array.isArray(file.value) ? file.value : [];
  const complaint = (index: number, found: string, expected: string): Finding => ({
    rule: "used-exceptions",
    file: file.path,
    line: file.lineOf([index]),
    found,
    expected,
  });
  const complaints: Finding[] = [];
  const accepted = new Set<Finding>();
  for (const [index, entry] of entries.entries()) {
    if (!isException(entry)) {
      complaints.push(complaint(index, "an incomplete entry", members.join(", ")));
      continue;
    }
    const matching = findings.filter(
      ({ rule, file: path, found }) =>
        rule === entry.rule && path === entry.file && found === entry.found,
    );
    if (matching.length === 0) {
      complaints.push(complaint(index, `an unused exception from ${entry.rule}`, "no such entry"));
    }
    for (const finding of matching) accepted.add(finding);
  }
  return [...findings.filter((finding) => !accepted.has(finding)), ...complaints];
}

const isException = (entry: unknown): entry is Exception =>
  isObject(entry) &&
  members.every((member) => typeof entry[member] === "string" && entry[member] !== "") &&
  Object.keys(entry).length === members.length;
