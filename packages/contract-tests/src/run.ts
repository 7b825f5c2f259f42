import { setTimeout as delay } from "node:timers/promises";
import { CaseContext, type RunContext } from "./cases/case-context.ts";
import { caseId, type Case, type Need } from "./cases/case.ts";
import { CaseEnded, type Failure } from "./cases/failure.ts";
import { generateCases } from "./cases/generate.ts";
import type { Sources } from "./cases/generator.ts";
import { Subjects } from "./cases/subjects.ts";
import type { Fetch } from "./conformance/checked-fetch.ts";
import { createConformance } from "./conformance/conformance.ts";
import { platformContract, type Contract } from "./contract.ts";
import type { CollectionRecipe } from "./recipes/recipe.ts";
import { platformRecipes, Recipes } from "./recipes/recipes.ts";
import { coverageOf } from "./report/coverage.ts";
import type { CaseResult, Report } from "./report/report.ts";
import type { JsonObject } from "./requests/request.ts";
import type { Credentials } from "./target/credentials.ts";
import { controlPlaneFaults, type Faults } from "./target/faults.ts";
import { Target } from "./target/target.ts";

export interface RunOptions {
  readonly baseUrl: string;
  /** A client with every scope that is to be tested. The tests write and remove records of its tenant. */
  readonly credentials: Credentials;
  /** A client with the same scopes, of a tenant that is no relative of the first. */
  readonly otherTenant?: Credentials;
  /** How to force answers; a text is the base URL of a development control plane. */
  readonly faults?: Faults | string;
  /** Records of the first tenant that no operation creates, by kind: `{ executions: [{ … }] }`. */
  readonly knownRecords?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Bytes of the largest body that the target takes; default 10 MiB. */
  readonly bodyBytes?: number;
  /** Further response headers that are no finding: those of a proxy in front of the target. */
  readonly allowHeaders?: readonly string[];
  /** Only cases whose id holds this text, or matches it. */
  readonly only?: string | RegExp;
  /** A case that cannot be run for want of something counts as a failure of the run. */
  readonly requireAll?: boolean;
  /** Cases at a time; default 8. */
  readonly concurrency?: number;
  readonly fetch?: Fetch;
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly timeoutMilliseconds?: number;
  /** No case begins after it; records are removed all the same. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Another contract than the platform's, with its recipes. */
  readonly contract?: Contract;
  readonly recipes?: Readonly<Record<string, CollectionRecipe>>;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly last: CaseResult;
}

const defaultBodyBytes = 10 * 1024 * 1024;

/**
 * Runs a generated case for every documented answer of every operation, and the laws that hold for all,
 * against a running service. Throws when the service cannot be reached or gives no token.
 */
export async function runContractTests(options: RunOptions): Promise<Report> {
  const started = performance.now();
  const sources = sourcesOf(options);
  const { conformance, recipes } = sources;
  let requests = 0;
  const fetch = options.fetch ?? globalThis.fetch;
  const target = new Target({
    baseUrl: options.baseUrl,
    credentials: {
      own: options.credentials,
      ...(options.otherTenant === undefined ? {} : { other: options.otherTenant }),
    },
    conformance,
    fetch: (input, init) => {
      requests += 1;
      return fetch(input, init);
    },
    wait: options.wait ?? ((milliseconds) => delay(milliseconds)),
    timeoutMilliseconds: options.timeoutMilliseconds ?? 30_000,
  });
  const scopes = await target.scopes("own");
  const { faults = null } = options;
  const run: RunContext = {
    contract: conformance.contract,
    recipes,
    target,
    subjects: new Subjects(target, recipes, options.knownRecords ?? {}),
    faults: typeof faults === "string" ? controlPlaneFaults(faults, fetch) : faults,
    bodyBytes: options.bodyBytes ?? defaultBodyBytes,
  };
  const cases = generateCases(sources).filter(selected(options.only));
  const results = await runAll(cases, run, scopes, options);
  const problems = await run.subjects.removeAll();
  const count = (outcome: CaseResult["outcome"]): number =>
    results.filter((result) => result.outcome === outcome).length;
  const [failed, notRun] = [count("failed"), count("not run")];
  return {
    baseUrl: target.baseUrl,
    cases: results,
    passed: count("passed"),
    failed,
    notRun,
    coverage: coverageOf(conformance.contract, target.seen, results),
    problems,
    requests,
    milliseconds: performance.now() - started,
    waitedSeconds: target.waited,
    ok: failed === 0 && problems.length === 0 && (options.requireAll !== true || notRun === 0),
  };
}

/** The cases that a run with these options has. */
export const listCases = (options: Pick<RunOptions, "contract" | "recipes" | "only">) =>
  generateCases(sourcesOf(options)).filter(selected(options.only));

function sourcesOf({
  contract = platformContract(),
  recipes = platformRecipes,
  allowHeaders = [],
}: Pick<RunOptions, "contract" | "recipes" | "allowHeaders">): Sources {
  return {
    conformance: createConformance(contract, { allowHeaders }),
    recipes: new Recipes(contract, recipes),
  };
}

const selected =
  (only: RunOptions["only"]) =>
  (each: Case): boolean =>
    only === undefined ||
    (typeof only === "string" ? caseId(each).includes(only) : only.test(caseId(each)));

/** Some cases at a time; those that must be alone one after the other, when all others are through. */
async function runAll(
  cases: readonly Case[],
  run: RunContext,
  scopes: readonly string[],
  options: RunOptions,
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
    case "faults":
      return run.faults !== null;
    default:
      return run.subjects.known(need.slice("known ".length)).length > 0;
  }
}
