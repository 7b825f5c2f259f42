import { setTimeout as delay } from "node:timers/promises";
import type { RunContext } from "./cases/case-context.ts";
import { caseId, type Case } from "./cases/case.ts";
import { generateCases } from "./cases/generate.ts";
import type { Sources } from "./cases/generator.ts";
import { runCases, type Progress } from "./cases/run-cases.ts";
import { Subjects } from "./cases/subjects.ts";
import type { Fetch } from "./conformance/checked-fetch.ts";
import { createConformance } from "./conformance/conformance.ts";
import { describeFinding } from "./conformance/finding.ts";
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
  /** An address of the service that allows only a few requests a minute: 429 is then a real one. */
  readonly rateLimited?: { readonly baseUrl: string; readonly credentials: Credentials };
  /** Records of the first tenant that no operation creates, by kind: `{ executions: [{ … }] }`. */
  readonly knownRecords?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Bytes of the largest body that the target takes; default 10 MiB. */
  readonly bodyBytes?: number;
  /** Further response headers that are no finding: those of a proxy in front of the target. */
  readonly allowHeaders?: readonly string[];
  /** Only cases whose id holds this text, or matches it. */
  readonly only?: string | RegExp;
  /** Operations that the target does not have: no case is made for them, and none counts. */
  readonly except?: readonly string[];
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
  const surroundings = {
    conformance,
    fetch: (...parameters: Parameters<Fetch>) => {
      requests += 1;
      return fetch(...parameters);
    },
    wait: options.wait ?? ((milliseconds: number) => delay(milliseconds)),
    timeoutMilliseconds: options.timeoutMilliseconds ?? 30_000,
  };
  const target = new Target({
    ...surroundings,
    baseUrl: options.baseUrl,
    credentials: {
      own: options.credentials,
      ...(options.otherTenant === undefined ? {} : { other: options.otherTenant }),
    },
  });
  const { faults = null, rateLimited } = options;
  const limited =
    rateLimited === undefined
      ? null
      : new Target(
          {
            ...surroundings,
            baseUrl: rateLimited.baseUrl,
            credentials: { own: rateLimited.credentials },
          },
          target,
        );
  const scopes = await target.scopes("own");
  const run: RunContext = {
    contract: conformance.contract,
    recipes,
    target,
    subjects: new Subjects(target, recipes, options.knownRecords ?? {}),
    faults: typeof faults === "string" ? controlPlaneFaults(faults, fetch) : faults,
    limited,
    bodyBytes: options.bodyBytes ?? defaultBodyBytes,
  };
  const cases = generateCases(sources).filter(selected(options.only));
  const results = await runCases(cases, run, scopes, options);
  const left = await run.subjects.removeAll();
  const asides = [target, limited].flatMap((each) => [...(each?.asides.values() ?? [])]);
  const problems = [...asides.map(describeFinding), ...left];
  const count = (outcome: CaseResult["outcome"]): number =>
    results.filter((result) => result.outcome === outcome).length;
  const [failed, notRun] = [count("failed"), count("not run")];
  return {
    baseUrl: target.baseUrl,
    cases: results,
    passed: count("passed"),
    failed,
    notRun,
    leftOut: sources.except.size,
    coverage: coverageOf(conformance.contract, target.seen, results),
    problems,
    requests,
    milliseconds: performance.now() - started,
    waitedSeconds: target.waited,
    ok: failed === 0 && problems.length === 0 && (options.requireAll !== true || notRun === 0),
  };
}

/** The cases that a run with these options has. */
export const listCases = (options: Pick<RunOptions, "contract" | "recipes" | "only" | "except">) =>
  generateCases(sourcesOf(options)).filter(selected(options.only));

function sourcesOf({
  contract = platformContract(),
  recipes = platformRecipes,
  allowHeaders = [],
  except = [],
}: Pick<RunOptions, "contract" | "recipes" | "allowHeaders" | "except">): Sources {
  const known = new Set(contract.operations.map(({ id }) => id));
  const unknown = except.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new Error(`cannot leave out what the document does not have: ${unknown.join(", ")}`);
  }
  return {
    conformance: createConformance(contract, { allowHeaders }),
    recipes: new Recipes(contract, recipes, new Set(except)),
    except: new Set(except),
  };
}

const selected =
  (only: RunOptions["only"]) =>
  (each: Case): boolean =>
    only === undefined ||
    (typeof only === "string" ? caseId(each).includes(only) : only.test(caseId(each)));
