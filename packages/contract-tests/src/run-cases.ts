import type { CaseResult } from "./report/report.ts";
import { ConnectionError } from "./target/connection-error.ts";
import { CaseContext, type RunContext } from "./cases/case-context.ts";
import { caseId, type Case, type Need } from "./cases/case.ts";
import { CaseEnded, CaseSkipped, ListMoved, NotImplemented, type Failure } from "./failure.ts";

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly last: CaseResult;
}

export interface QueueOptions {
  /** Number of cases that run at the same time. */
  readonly concurrency: number;
  /** Aborted when no further case may start. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Maximum number of consecutive cases without a response before the run ends. */
const patience = 30;

/**
 * Runs several cases at a time. Then it runs, one by one, the cases that must run alone and those
 * that other cases disturbed.
 */
export async function runCases(
  cases: readonly Case[],
  run: RunContext,
  scopes: readonly string[],
  options: QueueOptions,
): Promise<readonly CaseResult[]> {
  const results = new Map<Case, CaseResult>();
  let failed = 0;
  let unanswered = 0;
  const disturbed: Case[] = [];
  const work = async (queue: Iterator<Case>, isAlone: boolean): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      if (options.signal?.aborted === true || unanswered >= patience) return;
      const { result, answered, moved } = await runCase(next.value, run, scopes, isAlone);
      unanswered = answered ? 0 : unanswered + 1;
      if (moved && !isAlone) {
        disturbed.push(next.value);
        continue;
      }
      results.set(next.value, result);
      if (result.outcome === "failed") failed += 1;
      options.onProgress?.({ done: results.size, total: cases.length, failed, last: result });
    }
  };
  const queue = (alone: boolean): Iterator<Case> =>
    cases.filter((each) => (each.alone ?? false) === alone).values();
  const together = queue(false);
  await Promise.all(Array.from({ length: options.concurrency }, () => work(together, false)));
  await work(queue(true), true);
  await work([...disturbed].values(), true);
  const need = unanswered >= patience ? "a target that answers" : "more time";
  return cases.map((each) => results.get(each) ?? skipped(each, [need]));
}

interface CaseRun {
  readonly result: CaseResult;
  /** The target returned complete responses. */
  readonly answered: boolean;
  /** Whether other cases wrote to the list that the case read. */
  readonly moved: boolean;
}

async function runCase(
  each: Case,
  run: RunContext,
  scopes: readonly string[],
  isAlone: boolean,
): Promise<CaseRun> {
  const missing: Need[] = [];
  for (const need of each.needs) if (!(await isMet(need, each, run, scopes))) missing.push(need);
  if (missing.length > 0) {
    return { result: skipped(each, missing), answered: true, moved: false };
  }
  const started = performance.now();
  const context = new CaseContext(run, each, isAlone);
  let answered = true;
  try {
    await each.run(context);
  } catch (error) {
    const ended = [CaseEnded, CaseSkipped, ListMoved, NotImplemented].some(
      (end) => error instanceof end,
    );
    // Failures before the end of the case still count.
    if (context.failures.length === 0) {
      const without = (result: CaseResult): CaseRun => ({ result, answered, moved: false });
      if (error instanceof CaseSkipped) return without(skipped(each, [error.need]));
      if (error instanceof ListMoved) {
        return { ...without(skipped(each, ["a list at rest"])), moved: true };
      }
      if (error instanceof NotImplemented) {
        return without({ ...skipped(each, []), outcome: "not implemented" });
      }
    }
    if (error instanceof ConnectionError) answered = false;
    if (!ended) context.failures.push(unexpected(error, run));
  }
  return {
    answered,
    moved: false,
    result: {
      ...headingOf(each),
      outcome: context.failures.length === 0 ? "passed" : "failed",
      needs: [],
      failures: context.failures,
      milliseconds: performance.now() - started,
    },
  };
}

const headingOf = (each: Case) => ({
  id: caseId(each),
  operation: each.operation.id,
  status: each.status,
  law: each.law,
  title: each.title,
});

const skipped = (each: Case, needs: readonly Need[]): CaseResult => ({
  ...headingOf(each),
  outcome: "not run",
  needs,
  failures: [],
  milliseconds: 0,
});

/**
 * The reason why the case did not finish: no complete response, or records that could not be
 * created.
 */
function unexpected(error: unknown, run: RunContext): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return { message: run.target.redactor.apply(message) };
}

async function isMet(
  need: Need,
  each: Case,
  run: RunContext,
  scopes: readonly string[],
): Promise<boolean> {
  switch (need) {
    case "other tenant":
      return run.target.has("other");
    case "limited user":
      return run.target.has("limited");
    case "an expired token":
      return run.expiredToken !== null;
    case "second scope":
      return scopes.some((scope) => scope !== each.operation.scope);
    case "faults or a rate limit":
      return run.faults !== null || run.limited !== null;
    case "faults":
      return run.faults !== null;
    case "--allow-writes":
      return run.writes;
    case "a recipe":
    case "a list at rest":
    case "more time":
    case "a higher rate limit":
    case "a target that answers":
      return false;
    default: {
      // If the target rejects the request, the case has no records to use.
      const records = await run.subjects.knownRecords(need.slice("known ".length)).catch(() => []);
      return records.length > 0;
    }
  }
}
