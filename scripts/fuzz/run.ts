import { createHash } from "node:crypto";
import { Random } from "../../packages/spec-gate/tests/fuzz/edits.ts";
import { resourcesOf, type Resources } from "./resources.ts";
import type { FuzzedServer } from "./server.ts";
import type { Outcome, Target } from "./target.ts";

/** A law that an input, or a batch of inputs, breaks. */
export interface Finding {
  readonly target: string;
  readonly batch: number;
  readonly problem: string;
  /** Absent if the whole batch breaks the law. */
  readonly input?: unknown;
}

export interface BatchResult {
  readonly outcomes: ReadonlyMap<string, number>;
  /** Milliseconds of the processor in the longest turn of the server's event loop; null of other processes. */
  readonly turn: number | null;
  readonly resources: Resources | null;
  readonly findings: readonly Finding[];
}

export const batchSize = 60;
const atOnce = 6;

/** The same seed, target and number result in the same inputs. */
export function inputsOf(
  target: Target,
  seed: number,
  batch: number,
  count = batchSize,
): unknown[] {
  const digest = createHash("sha256").update(`${seed} ${target.name} ${batch}`).digest();
  const random = new Random(digest.readUInt32BE());
  return Array.from({ length: count }, () => target.generate(random));
}

/** Sends inputs, and checks that the server then serves a normal request. */
export async function runBatch(
  server: FuzzedServer,
  target: Target,
  batch: number,
  inputs: readonly unknown[],
): Promise<BatchResult> {
  const outcomes = new Map<string, number>();
  const findings: Finding[] = [];
  const queue = inputs.values();
  await server.longestTurn();
  const work = async (): Promise<void> => {
    for (const input of queue) {
      const { label, problem } = await outcomeOf(target, input);
      outcomes.set(label, (outcomes.get(label) ?? 0) + 1);
      if (problem !== undefined) findings.push({ target: target.name, batch, problem, input });
    }
  };
  await Promise.all(Array.from({ length: target.runsIn === "own" ? 1 : atOnce }, work));
  const health = await healthProblem(server);
  if (health !== undefined) findings.push({ target: target.name, batch, problem: health });
  const { processor } = await server.longestTurn();
  return {
    outcomes,
    turn: target.runsIn === "own" ? null : processor,
    resources: resourcesOf(target.runsIn === "own" ? "self" : server.pid),
    findings,
  };
}

async function outcomeOf(target: Target, input: unknown): Promise<Outcome> {
  try {
    return await target.send(input);
  } catch (error) {
    return { label: "no response", problem: `no response: ${String(error)}` };
  }
}

/** Why a normal request does not succeed. */
async function healthProblem(server: FuzzedServer): Promise<string | undefined> {
  const request = { method: "GET", address: "/iocs/queries/indicators/v1?limit=1" };
  try {
    let answer = await server.send(request);
    // An input may have revoked the token.
    if (answer.status === 401) {
      await server.renew();
      answer = await server.send(request);
    }
    return answer.status === 200
      ? undefined
      : `a normal request is answered with ${answer.status}: ${answer.text.slice(0, 300)}`;
  } catch (error) {
    return `a normal request is not answered: ${String(error)}\n${server.log().slice(-2_000)}`;
  }
}
