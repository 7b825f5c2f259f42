/**
 * Random faults between client and server: each call ends right or with its true error, and nothing is created
 * twice. `FC_RUNS` sets the number of faults, `FAULTS_SEED` repeats a run.
 */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { CallError, createClient, TimeoutError, type Client } from "../src/index.ts";
import { faults, leavesDoubt, startFaultyServer, type Fault } from "./support/faulty-server.ts";
import { clientId, clientSecret } from "./support/scripted-client.ts";
import { TestClock } from "./support/test-clock.ts";

const wanted = Number(process.env["FC_RUNS"] ?? 400);
const seed = process.env["FAULTS_SEED"] ?? String(Date.now());

const kinds = {
  create: (client: Client, value: string) =>
    client.ioc.createIndicators({
      body: { indicators: [{ type: "domain", value, platforms: ["mac"] }] },
    }),
  read: (client: Client, id: string) => client.ioc.getIndicators({ ids: [id] }),
  delete: (client: Client, id: string) => client.ioc.deleteIndicators({ ids: [id] }),
};

const errorNames: Readonly<Record<Fault, string>> = {
  "drop before": "NetworkError",
  "drop after": "NetworkError",
  truncate: "NetworkError",
  "no answer before": "TimeoutError",
  "no answer after": "TimeoutError",
  "429": "RateLimitError",
  "429 with time": "RateLimitError",
  "503": "ServerError",
  "503 with time": "ServerError",
  "401": "AuthenticationError",
};

/** Half of the requests have a fault, which follows from the seed, whatever their order. */
function choose(record: string, request: number): Fault | undefined {
  const hash = createHash("sha256").update(`${seed} ${record} ${request}`).digest();
  return hash[0]! < 128 ? undefined : faults[hash.readUInt32BE(1) % faults.length];
}

it(`${wanted} random faults never hide what happened (seed ${seed})`, async () => {
  const server = await startFaultyServer(choose);
  const timeouts = new Map<string, number>();
  const countTimeout = (call: number, error: unknown): void => {
    if (!(error instanceof TimeoutError)) return;
    timeouts.set(String(call), (timeouts.get(String(call)) ?? 0) + 1);
  };
  const client = createClient({
    hooks: {
      onRequest: ({ call }) => ({ "x-call": String(call) }),
      onRetry: ({ call, cause }) => countTimeout(call, cause),
      onError: ({ call, error }) => countTimeout(call, error),
    },
    baseUrl: server.url,
    clientId,
    clientSecret,
    clock: new TestClock(),
    retryWithinMilliseconds: Infinity,
    timeoutMilliseconds: 1_000,
    concurrency: 500,
  });
  const outcomes = {
    calls: 0,
    faults: 0,
    succeeded: 0,
    failed: 0,
    inDoubt: 0,
    acted: 0,
    late: 0,
    withoutToken: 0,
  };

  async function check(kind: keyof typeof kinds, record: string): Promise<void> {
    const history = server.historyOf(record);
    history.exists = kind === "delete";
    const error: unknown = await kinds[kind](client, record).then(
      ({ data }) => {
        expect(JSON.stringify(data)).toContain(record);
        return undefined;
      },
      (reason: unknown) => reason,
    );
    const last = history.faults.at(-1);
    const hasActed = history.creations > 0 || (kind === "delete" && !history.exists);
    const place = `${kind} ${record}: ${history.faults.join(", ")}: ${String(error)}`;
    outcomes.calls += 1;
    outcomes.faults += history.faults.filter((fault) => fault !== undefined).length;
    expect(history.creations, place).toBeLessThanOrEqual(1);
    if (error === undefined) {
      outcomes.succeeded += 1;
      expect(last, place).toBeUndefined();
      expect(hasActed, place).toBe(kind !== "read");
      return;
    }
    outcomes.failed += 1;
    if (!(error instanceof CallError)) throw error;
    const isDoubtful =
      kind !== "read" && history.faults.some((fault) => fault !== undefined && leavesDoubt(fault));
    if (error.mayHaveActed) outcomes.inDoubt += 1;
    if (hasActed) outcomes.acted += 1;
    if (hasActed) expect(error.mayHaveActed, place).toBe(true);
    // Only a deletion that an earlier attempt carried out fails without a fault.
    const isGone = kind === "delete" && hasActed && error.name === "NotFoundError";
    const answered = history.faults.filter((fault) => fault === undefined).length;
    const unanswered = history.faults.filter((fault) => fault?.startsWith("no answer")).length;
    // A machine under load may miss the time limit without a fault.
    const isLate =
      error.attempts !== history.faults.length ||
      answered > (isGone ? 1 : 0) ||
      (timeouts.get(history.call ?? "") ?? 0) > unanswered;
    const { operationId } = error.cause instanceof CallError ? error.cause : error;
    if (operationId === "oauth2AccessToken") outcomes.withoutToken += 1;
    else if (isLate) expect(history.faults.length, place).toBeLessThanOrEqual(error.attempts);
    else {
      expect(error.name, place).toBe(last === undefined ? "NotFoundError" : errorNames[last]);
      expect(error.mayHaveActed, place).toBe(isDoubtful);
    }
    if (isLate) outcomes.late += 1;
    expect(error.message.includes("may have been carried out"), place).toBe(error.mayHaveActed);
  }

  for (let wave = 0; outcomes.faults < wanted; wave += 1) {
    const records = Array.from({ length: 500 }, (_, index) => `r-${wave}-${index}.test`);
    const names = ["create", "create", "read", "delete"] as const;
    await Promise.all(records.map((record, index) => check(names[index % names.length]!, record)));
  }
  if (process.env["FC_RUNS"] !== undefined) console.log(outcomes);
  expect(outcomes.faults).toBeGreaterThanOrEqual(wanted);
});
