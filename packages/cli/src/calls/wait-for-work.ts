import { WaitError, type Answer, type Client } from "@security-platform/client";
import type { CalledOperation } from "@security-platform/spec";
import { CommandError, exitCodes, SilentExit } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { methodsOf } from "./method-of.ts";
import { commandOf, operationOf } from "./operations.ts";

type Waiter = (
  id: string,
  options: {
    readonly signal: AbortSignal;
    readonly withinMilliseconds: number;
    readonly onProgress: (record: Readonly<Record<string, unknown>>) => void;
  },
) => Promise<Answer<unknown>>;

/**
 * Waits until the work of the records in a result is done, and returns them as they are then. The error of work
 * that goes on, or was interrupted here, says how to wait again.
 */
export async function waitForWork(
  client: Client,
  { collection, wait }: Pick<CalledOperation, "collection" | "wait">,
  result: unknown,
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
  { stderr }: CliContext,
): Promise<readonly unknown[]> {
  if (wait === undefined || !Array.isArray(result)) return [];
  const { methodName, state, readBy } = wait;
  const waiter = methodsOf(client, collection)[methodName] as Waiter;
  const deadline = performance.now() + seconds * 1_000;
  const records: unknown[] = [];
  for (const id of result.map(idOf)) {
    const again = `wait again with: secplat ${commandOf(operationOf(readBy))} --ids ${id} --wait`;
    const progress = new Progress(stderr, "");
    try {
      const { data } = await waiter(id, {
        signal,
        withinMilliseconds: Math.max(0, deadline - performance.now()),
        onProgress: (record) => progress.show(`waiting for ${id}: ${state} ${record[state]}`),
      });
      records.push(data);
    } catch (error) {
      progress.end();
      if (error instanceof WaitError && error.timedOut) {
        throw new CommandError(
          `the ${state} of ${id} is ${error.state} after ${seconds} s. The work goes on; ${again}`,
          exitCodes.failure,
          { cause: error },
        );
      }
      if (error instanceof SilentExit && error.exitCode !== exitCodes.success) {
        stderr.write(`secplat: the work goes on; ${again}\n`);
      }
      throw error;
    }
    progress.end();
  }
  return records;
}

/** Lists of ids have texts, other lists have records. */
const idOf = (item: unknown): string =>
  typeof item === "string" ? item : String((item as { readonly id?: unknown } | null)?.id);
