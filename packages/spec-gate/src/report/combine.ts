import { largest } from "../change.ts";
import {
  byDamage,
  causesOf,
  conclusionOf,
  exitCodeOf,
  type Outcome,
  type Report,
  type ReportedChange,
  type Side,
} from "./model.ts";
import type { Failure } from "../change.ts";

/** One report of several comparisons. Each place has the name of its document before it. */
export function combinedReport(reports: readonly Report[]): Report {
  const [first, ...more] = reports;
  if (first === undefined) throw new Error("expected a report");
  if (more.length === 0) return first;
  const changes = reports
    .flatMap((report) => report.changes.map((change) => named(change, report)))
    .toSorted(byDamage);
  const failures = failuresOf(reports);
  const outcome = outcomeOf(reports, changes, failures);
  const isJudged = outcome !== "cannot-judge";
  const verdict = largest(reports.flatMap((report) => report.verdict ?? []));
  const after = largest(reports.flatMap((report) => report.verdictAfterApprovals ?? []));
  const problems = [...new Set(reports.flatMap(({ problem }) => problem ?? []))];
  return {
    ...first,
    outcome,
    exitCode: exitCodeOf(outcome, changes, failures),
    conclusion: isJudged
      ? conclusionOf({ changes, failures, verdict, outcome })
      : `Cannot judge: ${problems.join("; ")}`,
    verdict: isJudged ? verdict : null,
    verdictAfterApprovals: isJudged ? after : null,
    base: joined(reports.map(({ base }) => base)),
    revision: joined(reports.map(({ revision }) => revision)),
    documents: reports.flatMap(({ documents }) => documents),
    changes,
    causes: causesOf(changes),
    failures,
    notes: [...new Set(reports.flatMap(({ notes }) => notes))],
    problem: isJudged ? null : problems.join("; "),
  };
}

function outcomeOf(
  reports: readonly Report[],
  changes: readonly ReportedChange[],
  failures: readonly Failure[],
): Outcome {
  if (reports.some(({ outcome }) => outcome === "cannot-judge")) return "cannot-judge";
  if (failures.length > 0 || changes.some(({ breaks }) => breaks)) return "failed";
  return changes.some(({ approval }) => approval !== null) ? "approved" : "passed";
}

function named(change: ReportedChange, { revision }: Report): ReportedChange {
  const name = (place: string): string => `${revision.name}: ${place}`;
  return {
    ...change,
    place: name(change.place),
    operations: change.operations.map(name),
    parts: change.parts.map((part) => ({ ...part, operation: name(part.operation) })),
  };
}

const joined = (sides: readonly Side[]): Side => ({
  name: sides.map(({ name }) => name).join(", "),
  version: [...new Set(sides.map(({ version }) => version))].join(", "),
});

/**
 * An approval is unused if no document uses it; those of the approvals are the same for all. One that
 * could not be judged may use it.
 */
function failuresOf(reports: readonly Report[]): readonly Failure[] {
  const approvals = new Map<string, Failure[]>();
  const others: Failure[] = [];
  for (const { revision, failures } of reports) {
    for (const failure of failures) {
      if (failure.rule.startsWith("approval-")) {
        const key = JSON.stringify([failure.rule, failure.place]);
        approvals.set(key, [...(approvals.get(key) ?? []), failure]);
      } else if (failure.place === revision.name) others.push(failure);
      else others.push({ ...failure, place: `${revision.name}: ${failure.place}` });
    }
  }
  const own = [...approvals.values()].flatMap((same) => {
    const [failure] = same;
    const counts = failure?.rule !== "approval-unused" || same.length === reports.length;
    return failure !== undefined && counts ? [failure] : [];
  });
  return [...own, ...others];
}
