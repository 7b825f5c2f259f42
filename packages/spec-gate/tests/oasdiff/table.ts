import { largest, type Verdict } from "../../src/change.ts";
import { checkVersion, versionIn } from "../../src/policy/version.ts";
import { compare } from "../../src/testing/documents.ts";
import { differences } from "./differences.ts";
import { editOf } from "./edit-of.ts";

export interface Row {
  readonly check: string;
  /** oasdiff's level: ERR, WARN or INFO. */
  readonly level: string;
  readonly found: "yes" | "no";
  /** Our rules, with their direction. */
  readonly rules: string;
  readonly verdict: Verdict | "";
  readonly why: string;
}

/** The version whose checks the table has. */
export const oasdiffVersion = "1.37.0";

const heading = `# The checks of oasdiff ${oasdiffVersion}, with our findings for an edit that shows each.`;

const columns = ["check", "level", "found", "rules", "verdict", "why"] as const;

export const readTable = (text: string): readonly Row[] =>
  text
    .trimEnd()
    .split("\n")
    .slice(2)
    .map((line) => {
      const cells = line.split("\t");
      return Object.fromEntries(
        columns.map((name, index) => [name, cells[index] ?? ""]),
      ) as unknown as Row;
    });

export const writeTable = (rows: readonly Row[]): string =>
  `${[heading, columns.join("\t"), ...rows.map((row) => columns.map((name) => row[name]).join("\t"))].join("\n")}\n`;

/** Our findings for an edit that demonstrates one of oasdiff's checks. */
export function judgedRow(check: string, level: string): Row {
  const edit = editOf(check);
  const rules: string[] = [];
  let verdict: Verdict | "" = "";
  if (edit !== undefined) {
    const [base, revision] = edit;
    const { changes } = compare(base, revision);
    verdict = largest(changes.map((change) => change.verdict));
    rules.push(...changes.map((change) => `${change.rule} (${change.direction})`));
    if (check.startsWith("api-") && check.includes("version")) {
      const failures = checkVersion(versionIn(base), versionIn(revision), verdict);
      rules.push(...failures.map(({ rule }) => `${rule} (--check-version)`));
    }
  }
  const isFound = rules.length > 0;
  const agrees = level === "INFO" ? verdict !== "major" : verdict === "major" || level === "WARN";
  const why =
    isFound && agrees
      ? ""
      : (differences.find(([pattern]) => pattern.test(check))?.[1] ?? "UNEXPLAINED");
  const found = isFound ? "yes" : "no";
  return { check, level, found, rules: [...new Set(rules)].join(", "), verdict, why };
}
