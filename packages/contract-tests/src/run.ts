import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { RunContext } from "./cases/case-context.ts";
import type { Case } from "./cases/case.ts";
import { generateCases } from "./cases/generate.ts";
import type { Sources } from "./cases/generator.ts";
import { runCases, type Progress } from "./run-cases.ts";
import { SpareHeaders } from "./cases/spare-headers.ts";
import { Subjects } from "./cases/subjects.ts";
import type { Fetch } from "./conformance/checked-fetch.ts";
import { createConformance } from "./conformance/conformance.ts";
import { describeFinding } from "./conformance/finding.ts";
import { isSuccess, platformContract, withoutCompanion, type Contract } from "./contract.ts";
import type { CollectionRecipe } from "./recipes/recipe.ts";
import { companionRecipes, platformRecipes, Recipes } from "./recipes/recipes.ts";
import { coverageOf } from "./report/coverage.ts";
import type { CaseResult, Report } from "./report/report.ts";
import type { JsonObject } from "./requests/request.ts";
import { selectCases, type Selection } from "./selection.ts";
import type { Credentials } from "./target/credentials.ts";
import { controlPlaneFaults, type Faults } from "./target/faults.ts";
import { senderTo, type Send } from "./target/http.ts";
import { Target } from "./target/target.ts";

export interface RunOptions extends Selection {
  readonly baseUrl: string;
  /** A client with all scopes to test. */
  readonly credentials: Credentials;
  /** A client with the same scopes, of an unrelated tenant. */
  readonly otherTenant?: Credentials | undefined;
  /** True: create, change and delete records, and remove them at the end. Default: only reads. */
  readonly allowWrites?: boolean | undefined;
  /** True: keep the created records, to repeat failed requests. */
  readonly keepRecords?: boolean | undefined;
  /**
   * A client of the first tenant that acts as a user. The user may read and write what the first client may, but not see
   * the records of the kinds `hidden-…`.
   */
  readonly limitedUser?: Credentials | undefined;
  /** A token of the first tenant that has expired. */
  readonly expiredToken?: string | undefined;
  /** How to force errors; a text is the base URL of a development control plane. */
  readonly faults?: Faults | string | undefined;
  /** A URL of the service with a low rate limit, to obtain a real 429. */
  readonly rateLimited?:
    { readonly baseUrl: string; readonly credentials: Credentials } | undefined;
  /** Records of the first tenant that no operation creates, by kind: `{ executions: [{ … }] }`. */
  readonly knownRecords?: Readonly<Record<string, readonly JsonObject[]>> | undefined;
  /** Bytes of the largest body that the target accepts; default 10 MiB. */
  readonly bodyBytes?: number | undefined;
  /** Number of values in the largest JSON body that the target accepts; default 200,000. */
  readonly bodyValues?: number | undefined;
  /** Bytes of the largest file that the target accepts; default 100 MiB. */
  readonly uploadBytes?: number | undefined;
  /** Whether an undocumented response header fails the case. Default: false; the report lists it. */
  readonly strictHeaders?: boolean | undefined;
  /** Expected undocumented response headers, such as those of a gateway in front of the target. */
  readonly allowHeaders?: readonly string[] | undefined;
  /** True: also test the companion operations, which a server may lack. */
  readonly companion?: boolean | undefined;
  /** True: the service serves existing clients, as `secplat serve --compat` does. */
  readonly compat?: boolean | undefined;
  /** Operations to exclude: they have no cases and do not count. */
  readonly except?: readonly string[] | undefined;
  /** Whether a case that is not run, or that the target does not implement, fails the run. */
  readonly requireAll?: boolean | undefined;
  /**
   * Two runs with one seed send the same requests, except for names. Default: a random one, which the report names.
   */
  readonly seed?: string | undefined;
  /**
   * The names of records and the idempotency keys follow from it and the seed. Default: random, because a server can keep
   * deleted records and keys of an earlier run with the seed.
   */
  readonly names?: string | undefined;
  /** Number of cases that run at the same time; default 8. */
  readonly concurrency?: number | undefined;
  /** Sends all requests. Default: `node:http`, which takes less processor time. */
  readonly fetch?: Fetch | undefined;
  readonly wait?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Time limit of one request; default 30,000. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Maximum total seconds to wait for rate limits; default 300. */
  readonly waitSeconds?: number | undefined;
  /** Aborted when no further case may start. Created records are still removed. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** A contract of another API, with its recipes. */
  readonly contract?: Contract | undefined;
  readonly recipes?: Readonly<Record<string, CollectionRecipe>> | undefined;
}

const defaultBodyBytes = 10 * 1024 * 1024;
const defaultBodyValues = 200_000;
const defaultUploadBytes = 100 * 1024 * 1024;
const defaultConcurrency = 8;
const defaultTimeoutMilliseconds = 30_000;
const defaultWaitSeconds = 300;

/**
 * Runs generated cases for every documented response of every operation, and for the laws, against
 * a running server. Throws if the server cannot be reached or grants no token.
 */
export async function runContractTests(options: RunOptions): Promise<Report> {
  const started = performance.now();
  const seed = options.seed ?? randomBytes(4).toString("hex");
  const names = `${seed} ${options.names ?? randomBytes(8).toString("hex")}`;
  const { sources, cases } = casesOf({ ...options, seed });
  const { conformance, recipes, except } = sources;
  const writes = options.allowWrites === true;
  let requests = 0;
  const countingSenderTo = (baseUrl: string): Send => {
    const send = senderTo(baseUrl, options.fetch);
    return (...parameters) => {
      requests += 1;
      return send(...parameters);
    };
  };
  const shared = {
    conformance,
    wait: options.wait ?? ((milliseconds: number) => delay(milliseconds)),
    timeoutMilliseconds: options.timeoutMilliseconds ?? defaultTimeoutMilliseconds,
    waitSeconds: options.waitSeconds ?? defaultWaitSeconds,
    strictHeaders: options.strictHeaders === true,
  };
  const target = new Target({
    ...shared,
    baseUrl: options.baseUrl,
    send: countingSenderTo(options.baseUrl),
    credentials: {
      own: options.credentials,
      ...(options.otherTenant === undefined ? {} : { other: options.otherTenant }),
      ...(options.limitedUser === undefined ? {} : { limited: options.limitedUser }),
    },
  });
  const { expiredToken = null, faults = null, rateLimited } = options;
  if (expiredToken !== null) target.redactor.hide(expiredToken, "$EXPIRED_TOKEN");
  const limited =
    rateLimited === undefined
      ? null
      : new Target(
          {
            ...shared,
            baseUrl: rateLimited.baseUrl,
            send: countingSenderTo(rateLimited.baseUrl),
            credentials: { own: rateLimited.credentials },
          },
          target,
        );
  const scopes = await target.scopes("own");
  const knownRecords = options.knownRecords ?? {};
  const subjects = new Subjects({ target, recipes, knownRecords, names, writes });
  const run: RunContext = {
    contract: conformance.contract,
    recipes,
    target,
    validators: conformance.validators,
    subjects,
    spareHeaders: new SpareHeaders(),
    faults: typeof faults === "string" ? controlPlaneFaults(faults, options.fetch) : faults,
    limited,
    expiredToken,
    bodyBytes: options.bodyBytes ?? defaultBodyBytes,
    bodyValues: options.bodyValues ?? defaultBodyValues,
    uploadBytes: options.uploadBytes ?? defaultUploadBytes,
    seed,
    names,
    writes,
  };
  const results = (
    await runCases(cases, run, scopes, {
      concurrency: options.concurrency ?? defaultConcurrency,
      signal: options.signal,
      onProgress: options.onProgress,
    })
  ).map((result) => withoutImplementation(result, target));
  const left = options.keepRecords === true ? [] : await subjects.removeAll();
  const asides = [target, limited].flatMap((each) => [...(each?.asides.values() ?? [])]);
  const problems = [...asides.map(describeFinding), ...left, ...contradictions(target)];
  const count = (outcome: CaseResult["outcome"]): number =>
    results.filter((result) => result.outcome === outcome).length;
  const [failed, notRun, notImplemented] = [
    count("failed"),
    count("not run"),
    count("not implemented"),
  ];
  const isWhole = notRun === 0 && notImplemented === 0;
  return {
    baseUrl: target.baseUrl,
    clientId: options.credentials.clientId,
    seed,
    cases: results,
    passed: count("passed"),
    failed,
    notRun,
    notImplemented,
    leftOut: except.size,
    coverage: coverageOf(conformance.contract, target.seen, target.sent, results),
    extraHeaders: Object.fromEntries(target.extraHeaders),
    problems,
    requests,
    milliseconds: performance.now() - started,
    waitedSeconds: target.waited,
    interrupted: options.signal?.aborted === true,
    ok: failed === 0 && problems.length === 0 && (options.requireAll !== true || isWhole),
  };
}

type CaseOptions = Pick<
  RunOptions,
  | "contract"
  | "recipes"
  | "companion"
  | "compat"
  | "allowHeaders"
  | "except"
  | "seed"
  | keyof Selection
>;

/** The cases that a run with these options has. */
export const listCases = (options: CaseOptions): readonly Case[] => casesOf(options).cases;

function casesOf(options: CaseOptions): {
  readonly sources: Sources;
  readonly cases: readonly Case[];
} {
  const { companion = false } = options;
  const {
    contract = companion ? platformContract() : withoutCompanion(platformContract()),
    recipes = companion ? { ...platformRecipes, ...companionRecipes } : platformRecipes,
  } = options;
  const { allowHeaders = [], except = [] } = options;
  const operationIds = new Set(contract.operations.map(({ id }) => id));
  const unknown = except.filter((id) => !operationIds.has(id));
  if (unknown.length > 0) {
    throw new Error(`cannot leave out what the document does not have: ${unknown.join(", ")}`);
  }
  const sources: Sources = {
    conformance: createConformance(contract, { allowHeaders, compat: options.compat === true }),
    recipes: new Recipes(contract, recipes),
    except: new Set(except),
  };
  return { sources, cases: selectCases(generateCases(sources), options, options.seed ?? "") };
}

/**
 * The result of a case; not run for want of a recipe, it counts as not implemented if the target does not implement the
 * operation.
 */
const withoutImplementation = (result: CaseResult, { seen }: Target): CaseResult =>
  result.needs.includes("a recipe") && seen.get(result.operation)?.has(501) === true
    ? { ...result, outcome: "not implemented", needs: [] }
    : result;

/** An operation that succeeded once is implemented, so 501 is a fault. */
const contradictions = ({ seen }: Target): readonly string[] =>
  [...seen]
    .filter(([, statuses]) => statuses.has(501) && [...statuses].some(isSuccess))
    .map(([operation]) => `${operation} answers 501 to some requests and succeeds with others`);
