/** @module-tag exhaustive */
/**
 * Random faults between client and server: each call ends right or with its true error, and nothing is created
 * twice. `FC_RUNS` sets the number of faults, `FAULTS_SEED` repeats a run.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { CallError, createClient, TimeoutError, type Client } from "../src/index.ts";
import { faults, leavesDoubt, startFaultyServer, type Fault } from "./support/faulty-server.ts";
import { clientId, clientSecret } from "./support/scripted-client.ts";
import { TestClock } from "./support/test-clock.ts";

const wanted = Number(process.env["FC_RUNS"] ?? 400);
const seed = process.env["FAULTS_SEED"] ?? String(Date.now());

const kinds = {
  create: ({ ioc }: Client, value: string, headers: Record<string, string>) =>
    ioc.createIndicators(
      { body: { indicators: [{ type: "domain", value, platforms: ["mac"] }] } },
      { headers },
    ),
  read: ({ ioc }: Client, id: string, headers: Record<string, string>) =>
    ioc.getIndicators({ ids: [id] }, { headers }),
  delete: ({ ioc }: Client, id: string, headers: Record<string, string>) =>
    ioc.deleteIndicators({ ids: [id] }, { headers }),
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

/** Half of the attempts have a fault, which follows from the seed, whatever their order. */
function choose(record: string, attempt: number): Fault | undefined {
  const hash = createHash("sha256").update(`${seed} ${record} ${attempt}`).digest();
  return hash.readUInt8() < 128 ? undefined : faults[hash.readUInt32BE(1) % faults.length];
}

/** What the client's hooks report about one request. A machine under load may miss the time limit without a fault. */
interface Attempt {
  readonly status: number | undefined;
  readonly isLate: boolean;
}

interface Ended {
  readonly kind: keyof typeof kinds;
  readonly record: string;
  /** Undefined if it succeeded. */
  readonly error: unknown;
}

test(`${wanted} random faults never hide what happened (seed ${seed})`, async () => {
  const server = await startFaultyServer(choose);
  const attempts = new Map<number, Attempt[]>();
  const callOf = new Map<string | null, number>();
  const client = createClient({
    hooks: {
      onRequest: (event) => ({
        "x-call": String(event.call),
        "x-attempt": String(event.attempt),
      }),
      onEnd: ({ call: number, status, error }) => {
        const attempt = { status, isLate: error instanceof TimeoutError };
        attempts.set(number, [...(attempts.get(number) ?? []), attempt]);
      },
    },
    fetch: (request) => {
      callOf.set(request.headers.get("x-record"), Number(request.headers.get("x-call")));
      return fetch(request);
    },
    baseUrl: server.url,
    clientId,
    clientSecret,
    clock: new TestClock(),
    retryWithinMilliseconds: Infinity,
    timeoutMilliseconds: 1_000,
    concurrency: 500,
  });

  async function call(kind: keyof typeof kinds, record: string): Promise<Ended> {
    server.historyOf(record).exists = kind === "delete";
    const error: unknown = await kinds[kind](client, record, { "x-record": record }).then(
      ({ data }) => {
        expect(JSON.stringify(data)).toContain(record);
        return undefined;
      },
      (reason: unknown) => reason,
    );
    return { kind, record, error };
  }

  const faultsSoFar = (): number =>
    [...server.histories.values()]
      .flatMap((history) => history.faults)
      .filter((fault) => fault !== "none").length;
  const ended: Ended[] = [];
  for (let wave = 0; faultsSoFar() < wanted; wave += 1) {
    const records = Array.from({ length: 500 }, (_, index) => `r-${wave}-${index}.test`);
    const names = ["create", "create", "read", "delete"] as const;
    const calls = records.map((record, index) =>
      call(names[index % names.length] ?? "create", record),
    );
    ended.push(...(await Promise.all(calls)));
  }
  // A request that the client gave up may still have arrived after the end of its call.
  await server.close();

  const outcomes = { succeeded: 0, recovered: 0, failed: 0, acted: 0, late: 0, withoutToken: 0 };
  for (const { kind, record, error } of ended) {
    const history = server.historyOf(record);
    const seen = attempts.get(callOf.get(record) ?? 0) ?? [];
    const met = seen.map((each, index) => ({ ...each, fault: history.faults[index] }));
    const last = met.at(-1);
    const hasActed = history.creations > 0 || (kind === "delete" && !history.exists);
    const isDoubtful = met.some(
      ({ fault, status = 200, isLate }) =>
        (fault !== undefined && leavesDoubt(fault)) || (isLate && status < 300),
    );
    const place = `${kind} ${record}: ${JSON.stringify(met)}: ${String(error)}`;
    if (last?.isLate === true) outcomes.late += 1;
    expect(history.creations, place).toBeLessThanOrEqual(1);
    if (error === undefined) {
      outcomes.succeeded += 1;
      // Its key made it safe to send it again, although the server may have acted.
      if (kind === "create" && isDoubtful) outcomes.recovered += 1;
      expect(last?.fault, place).toBe("none");
      expect(hasActed, place).toBe(kind !== "read");
      continue;
    }
    if (!(error instanceof CallError)) throw error;
    outcomes.failed += 1;
    if (hasActed) outcomes.acted += 1;
    const isWrite = kind !== "read";
    expect(error.mayHaveActed, place).toBe(isWrite && isDoubtful);
    expect(error.message.includes("may have been carried out"), place).toBe(error.mayHaveActed);
    if (hasActed) expect(error.mayHaveActed, place).toBe(true);
    const { operationId } = error.cause instanceof CallError ? error.cause : error;
    if (operationId === "oauth2AccessToken") {
      outcomes.withoutToken += 1;
      continue;
    }
    expect(error.attempts, place).toBe(met.length);
    if (last?.isLate === true) expect(error.name, place).toBe("TimeoutError");
    else if (last?.fault !== "none") {
      expect(error.name, place).toBe(last?.fault && errorNames[last.fault]);
    } else {
      // Only a deletion that an earlier attempt carried out fails without a fault.
      expect(error.name, place).toBe("NotFoundError");
      expect(kind === "delete" && hasActed, place).toBe(true);
    }
  }
  if (process.env["FC_RUNS"] !== undefined) console.log({ calls: ended.length, ...outcomes });
  // On a machine under load, all calls may be late.
  expect(outcomes.recovered + outcomes.late + outcomes.withoutToken).toBeGreaterThan(0);
});
