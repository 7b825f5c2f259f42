import type { Contract } from "../contract.ts";
import type { CaseResult, Coverage, MissingAnswer } from "./report.ts";

/** Which documented answers the run obtained, from whatever case. */
export function coverageOf(
  contract: Contract,
  seen: ReadonlyMap<string, ReadonlySet<number>>,
  cases: readonly CaseResult[],
): Coverage {
  const run = new Set(cases.map(({ operation }) => operation));
  const operations = contract.operations.filter(({ id }) => run.has(id));
  const answers = operations.flatMap(({ id, responses }) =>
    responses.map(({ status }) => ({ operation: id, status })),
  );
  const missing = answers.filter(({ operation, status }) => !seen.get(operation)?.has(status));
  return {
    operations: operations.length,
    covered: answers.length - missing.length,
    total: answers.length,
    missing: missing.map((answer): MissingAnswer => ({
      ...answer,
      reason: reasonOf(answer, cases),
    })),
  };
}

function reasonOf(
  { operation, status }: Omit<MissingAnswer, "reason">,
  cases: readonly CaseResult[],
): string {
  const about = cases.filter((each) => each.operation === operation && each.status === status);
  const needs = new Set(about.flatMap((each) => each.needs));
  if (about.length === 0) return "left out by the selection";
  return about.every(({ outcome }) => outcome === "not run")
    ? `needs ${[...needs].join(" and ")}`
    : "its cases failed";
}
