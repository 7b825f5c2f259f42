import type { Contract } from "../contract.ts";
import type { CaseResult, Coverage, MissingAnswer } from "./report.ts";

/** Which documented answers the run obtained, from whatever case. */
export function coverageOf(
  contract: Contract,
  seen: ReadonlyMap<string, ReadonlySet<number>>,
  cases: readonly CaseResult[],
): Coverage {
  // What a target does not implement counts on its own, not as missing answers.
  const run = new Set(cases.map(({ operation }) => operation));
  const isThere = (id: string): boolean => run.has(id) && seen.get(id)?.has(501) !== true;
  const operations = contract.operations.filter(({ id }) => isThere(id));
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
  if (about.some(({ outcome }) => outcome === "failed")) return "its cases failed";
  return needs.size > 0 ? `needs ${[...needs].join(" and ")}` : "not implemented by the target";
}
