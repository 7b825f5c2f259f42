import type { CaseResult } from "../report/report.ts";
import { CaseContext, type RunContext } from "./case-context.ts";
import { caseId, type Case, type Need } from "./case.ts";
import { CaseEnded, type Failure } from "./failure.ts";

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly last: CaseResult;
}

interface QueueOptions {
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Some cases at a time; those that must be alone one after the other, when all others are through. */
export async function runCases(
  cases: readonly Case[],
  run: RunContext,
  scopes: readonly string[],
  options: QueueOptions,
): Promise<readonly CaseResult[]> {
  const results = new Map<Case, CaseResult>();
  let failed = 0;
  const work = async (queue: Iterator<Case>): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      if (options.signal?.aborted === true) return;
      const result = await runCase(next.value, run, scopes);
      results.set(next.value, result);
      if (result.outcome === "failed") failed += 1;
      options.onProgress?.({ done: results.size, total: cases.length, failed, last: result });
    }
  };
  const queue = (alone: boolean): Iterator<Case> =>
    cases.filter((each) => (each.alone ?? false) === alone).values();
  const together = queue(false);
  await Promise.all(Array.from({ length: options.concurrency ?? 8 }, () => work(together)));
  await work(queue(true));
  return cases.flatMap((each) => results.get(each) ?? []);
}

async function runCase(
  each: Case,
  run: RunContext,
  scopes: readonly string[],
): Promise<CaseResult> {
  const { operation, status, law, title } = each;
  const missing = each.needs.filter((need) => !isMet(need, each, run, scopes));
  const base = { id: caseId(each), operation: operation.id, status, law, title };
  if (missing.length > 0) {
    return { ...base, outcome: "not run", needs: missing, failures: [], milliseconds: 0 };
  }
  const started = performance.now();
  const context = new CaseContext(run, operation);
  try {
    await each.run(context);
  } catch (error) {
    if (!(error instanceof CaseEnded)) context.failures.push(unexpected(error, run));
  }
  return {
    ...base,
    outcome: context.failures.length === 0 ? "passed" : "failed",
    needs: [],
    failures: context.failures,
    milliseconds: performance.now() - started,
  };
}

/** No answer at all, records that could not be made: whatever kept the case from its end. */
function unexpected(error: unknown, run: RunContext): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const cause =
    error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return { message: run.target.redactor.apply(message + cause) };
}

function isMet(need: Need, each: Case, run: RunContext, scopes: readonly string[]): boolean {
  switch (need) {
    case "other tenant":
      return run.target.has("other");
    case "second scope":
      return scopes.some((scope) => scope !== each.operation.scope);
    case "faults or a rate limit":
      return run.faults !== null || run.limited !== null;
    case "faults":
      return run.faults !== null;
    default:
      return run.subjects.known(need.slice("known ".length)).length > 0;
  }
}
