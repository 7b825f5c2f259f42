import { createHash } from "node:crypto";
import {
  largest,
  verdicts,
  type Failure,
  type Finding,
  type Part,
  type Sides,
  type Verdict,
} from "../change.ts";
import { groupBy } from "../group-by.ts";
import { oneLine } from "../json.ts";
import { versionIn } from "../policy/version.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { adviceFor } from "../rules/advice.ts";
import { categories, categoryOf, type Category } from "../rules/category.ts";
import { memberOf } from "./member.ts";
import { isBreaking, isFailed, type Judgement } from "./report.ts";
import { spotsOf, type Spot } from "./located.ts";
import { valuesOf } from "./values.ts";

/** The version of the report's schema: `report.schema.json`. */
export const reportVersion = 1;

/** How a run ended. */
export type Outcome = "passed" | "approved" | "failed" | "cannot-judge";

export interface ReportedApproval {
  readonly reason: string;
  readonly expiry: string;
}

/** One change in the report. */
export interface ReportedChange {
  /** The name of the revision. */
  readonly document: string;
  readonly rule: string;
  readonly category: Category;
  readonly verdict: Verdict;
  /** Whether it fails the run: major and without an approval. */
  readonly breaks: boolean;
  readonly direction: Finding["direction"];
  readonly place: string;
  readonly message: string;
  readonly affects: Finding["affects"];
  readonly operations: readonly string[];
  readonly parts: readonly Part[];
  /** Such as `Thing.name`. */
  readonly member: string | null;
  readonly pointers: Sides<string>;
  readonly locations: Sides<Spot>;
  /** The old and the new value as JSON text; null where a document has none. */
  readonly values: Sides<string | null>;
  readonly who: string;
  readonly fix: string;
  /** The same for the same change in a later run. */
  readonly fingerprint: string;
  readonly approval: ReportedApproval | null;
  /** An entry for the file of approvals, to be completed with a reason and an expiry. */
  readonly approvalEntry: string | null;
}

/** Changes with one cause. */
export interface Cause {
  readonly rule: string;
  readonly category: Category;
  readonly verdict: Verdict;
  readonly breaks: boolean;
  readonly direction: Finding["direction"];
  readonly message: string;
  readonly affects: Finding["affects"];
  readonly who: string;
  readonly fix: string;
  readonly approval: ReportedApproval | null;
  /** Every operation that one of the changes affects. */
  readonly operations: readonly string[];
  /** Indexes in `changes`. */
  readonly changes: readonly number[];
}

/** A document of the comparison. */
export interface Side {
  readonly name: string;
  readonly version: string;
}

/** One comparison of a run. */
export interface Compared {
  readonly base: Side;
  readonly revision: Side;
  readonly outcome: Outcome;
  readonly verdict: Verdict | null;
}

/** The report from which every format is made. */
export interface Report {
  readonly $schema: string;
  readonly version: number;
  readonly outcome: Outcome;
  readonly exitCode: 0 | 1 | 2;
  readonly conclusion: string;
  /** Before approvals; null if the change could not be judged. */
  readonly verdict: Verdict | null;
  readonly verdictAfterApprovals: Verdict | null;
  readonly base: Side;
  readonly revision: Side;
  /** Every comparison of the run. */
  readonly documents: readonly Compared[];
  /** The worst first. */
  readonly changes: readonly ReportedChange[];
  /** The changes by cause, the worst first. */
  readonly causes: readonly Cause[];
  /** Other reasons why the run fails. */
  readonly failures: readonly Failure[];
  readonly notes: readonly string[];
  /** Why the change could not be judged. */
  readonly problem: string | null;
}

/** The address of a schema of this package. */
export const schemaUrl = (name: "report" | "changelog"): string =>
  `https://raw.githubusercontent.com/security-platform-api/security-platform-api/main/packages/spec-gate/${name}.schema.json`;

/** An approval that no change uses is a wrong setting, if nothing else fails. */
export function exitCodeOf(
  outcome: Outcome,
  changes: readonly ReportedChange[],
  failures: readonly Failure[],
): 0 | 1 | 2 {
  if (outcome === "cannot-judge") return 2;
  if (outcome !== "failed") return 0;
  const isOnlySetting =
    !changes.some(({ breaks }) => breaks) &&
    failures.every(({ rule }) => rule === "approval-unused");
  return isOnlySetting ? 2 : 1;
}

export function reportOf(judgement: Judgement): Report {
  const outcome = outcomeOf(judgement);
  const sides = { base: sideOf(judgement.base), revision: sideOf(judgement.revision) };
  const { failures, notes, verdict, approved } = judgement;
  const changes = reportedChanges(judgement).toSorted(byDamage);
  const left = judgement.changes.filter((finding) => !approved.has(finding));
  return {
    $schema: schemaUrl("report"),
    version: reportVersion,
    outcome,
    exitCode: exitCodeOf(outcome, changes, failures),
    conclusion: conclusionOf({ changes, failures, verdict, outcome }),
    verdict,
    verdictAfterApprovals: largest(left.map((finding) => finding.verdict)),
    ...sides,
    documents: [{ ...sides, outcome, verdict }],
    changes,
    causes: causesOf(changes),
    failures,
    notes,
    problem: null,
  };
}

function outcomeOf(judgement: Judgement): Outcome {
  if (isFailed(judgement)) return "failed";
  return judgement.approved.size > 0 ? "approved" : "passed";
}

/** The report of a run that ended without a verdict. */
export function problemReport(base: string, revision: string, problem: string): Report {
  const sides = {
    base: { name: base, version: "" },
    revision: { name: revision, version: "" },
  };
  return {
    $schema: schemaUrl("report"),
    version: reportVersion,
    outcome: "cannot-judge",
    exitCode: 2,
    conclusion: `Cannot judge: ${problem}`,
    verdict: null,
    verdictAfterApprovals: null,
    ...sides,
    documents: [{ ...sides, outcome: "cannot-judge", verdict: null }],
    changes: [],
    causes: [],
    failures: [{ rule: "cannot-judge", place: revision, message: problem }],
    notes: [],
    problem,
  };
}

const sideOf = ({ name, root }: LoadedDocument): Side => ({ name, version: versionIn(root) });

function reportedChanges(judgement: Judgement): readonly ReportedChange[] {
  const { base, revision, folder, approved } = judgement;
  const located = judgement.changes.map((finding) => ({
    finding,
    pointers: finding.pointers ?? { base: finding.pointer, revision: finding.pointer },
  }));
  const before = spotsOf(new Set(located.map(({ pointers }) => pointers.base)), base, folder);
  const after = spotsOf(
    new Set(located.map(({ pointers }) => pointers.revision)),
    revision,
    folder,
  );
  const nowhere = (file: string): Spot => ({ file, line: 1, column: 1 });
  return located.map(({ finding, pointers }): ReportedChange => {
    const { rule, verdict, direction, place, message, affects, operations, parts = [] } = finding;
    const category = categoryOf(rule, direction);
    const values = valuesOf(finding, pointers, base, revision);
    const approval = approved.get(finding);
    const digest = createHash("sha256").update(JSON.stringify([rule, direction, place, message]));
    return {
      document: revision.name,
      rule,
      category,
      verdict,
      breaks: isBreaking(judgement, finding),
      direction,
      place,
      message,
      affects,
      operations,
      parts,
      member: memberOf(finding.pointer) ?? null,
      pointers,
      locations: {
        base: before.get(pointers.base) ?? nowhere(base.name),
        revision: after.get(pointers.revision) ?? nowhere(revision.name),
      },
      values: { base: values.base ?? null, revision: values.revision ?? null },
      ...adviceFor({ rule, verdict, direction, category }),
      fingerprint: digest.digest("hex").slice(0, 16),
      approval:
        approval === undefined ? null : { reason: approval.reason, expiry: approval.expiry },
      approvalEntry: isBreaking(judgement, finding) ? approvalEntry(rule, place) : null,
    };
  });
}

/** Unapproved changes first, then by verdict, category and the number of operations. */
export function byDamage(left: Ranked, right: Ranked): number {
  const differences = [
    Number(right.breaks) - Number(left.breaks),
    verdicts.indexOf(right.verdict) - verdicts.indexOf(left.verdict),
    rankOf(left) - rankOf(right),
    right.operations.length - left.operations.length,
  ];
  return differences.find((difference) => difference !== 0) ?? 0;
}

type Ranked = Pick<Cause, "breaks" | "verdict" | "rule" | "category" | "operations">;

/** Removed and required things hurt more than others of their category. */
function rankOf({ rule, category }: Ranked): number {
  const isGone = /removed|required|changed|tightened/.test(rule);
  return categories.indexOf(category) * 2 + (isGone ? 0 : 1);
}

/** Changes of one rule with the same words have one cause. */
export function causesOf(changes: readonly ReportedChange[]): readonly Cause[] {
  const groups = groupBy(changes.entries(), ([, change]) =>
    JSON.stringify([
      change.rule,
      change.verdict,
      change.direction,
      change.message,
      change.approval,
    ]),
  );
  return [...groups.values()]
    .flatMap((group): readonly Cause[] => {
      const first = group[0]?.[1];
      if (first === undefined) return [];
      const { rule, category, verdict, breaks, direction, message, affects, who, fix } = first;
      return [
        {
          rule,
          category,
          verdict,
          breaks,
          direction,
          message,
          affects,
          who,
          fix,
          approval: first.approval,
          operations: [...new Set(group.flatMap(([, { operations }]) => operations))],
          changes: group.map(([index]) => index),
        },
      ];
    })
    .toSorted(byDamage);
}

type Concluded = Pick<Report, "changes" | "failures" | "verdict" | "outcome">;

/** The outcome in one sentence. */
export function conclusionOf({ changes, failures, verdict, outcome }: Concluded): string {
  const breaking = changes.filter(({ breaks }) => breaks).length;
  const approved = changes.filter(({ approval }) => approval !== null).length;
  const accepted = `${counted(approved, "breaking change")} ${approved === 1 ? "is" : "are"} approved`;
  if (outcome === "passed" || outcome === "approved") {
    if (approved > 0) return `Passed: ${accepted}.`;
    return changes.length === 0 ? "Passed: nothing changed for clients." : `Passed: ${verdict}.`;
  }
  const parts = [
    ...(breaking === 0 ? [] : [counted(breaking, "breaking change")]),
    ...(failures.length === 0 ? [] : [counted(failures.length, "other failure")]),
  ];
  const more = approved === 0 ? "" : ` ${accepted[0]?.toUpperCase()}${accepted.slice(1)}.`;
  return `Failed: ${parts.join(" and ")}.${more}`;
}

export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What a run is headed as. An approved change does not break clients without warning. */
export function headlineOf(report: Report): { readonly sign: string; readonly words: string } {
  const { outcome, verdict, causes, failures } = report;
  if (outcome === "cannot-judge") return { sign: "⛔", words: "cannot judge" };
  if (causes.some(({ breaks }) => breaks)) return { sign: "🔴", words: "major: breaks clients" };
  if (failures.length > 0) {
    return {
      sign: "⛔",
      words: `failed: ${[...new Set(failures.map(({ rule }) => rule))].join(", ")}`,
    };
  }
  if (outcome === "approved") return { sign: "✅", words: "approved breaking changes" };
  if (verdict === "minor") return { sign: "🟡", words: "minor: compatible additions" };
  if (verdict === "patch") return { sign: "🟢", words: "patch: no effect on clients" };
  return { sign: "⚪", words: "none" };
}

/** The first few items, and how many more there are. */
export function firstFew(items: readonly string[], most = 5): readonly string[] {
  const more = items.length - most;
  return more > 0 ? [...items.slice(0, most), `${more} more`] : items;
}

/** Where a cause applies: an operation with a pointer each. */
export const placesOf = (report: Report, cause: Cause): readonly string[] => [
  ...new Set(cause.changes.flatMap((index) => report.changes[index]?.place ?? [])),
];

/** Operations of a cause that none of its places names. */
export function otherOperations(report: Report, cause: Cause): readonly string[] {
  const named = new Set(cause.changes.map((index) => report.changes[index]?.operations[0]));
  return cause.operations.filter((operation) => !named.has(operation));
}

export const changesOf = (report: Report, cause: Cause): readonly ReportedChange[] =>
  cause.changes.flatMap((index) => report.changes[index] ?? []);

export const spotText = ({ file, line, column }: Spot): string => `${file}:${line}:${column}`;

const approvalEntry = (rule: string, place: string): string =>
  `- { rule: ${rule}, place: ${JSON.stringify(oneLine(place))}, reason: "", expiry: "" }`;
