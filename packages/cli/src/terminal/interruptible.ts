import type { CliContext } from "./cli-context.ts";
import { SilentExit } from "./exit-codes.ts";

interface Interruptible {
  /** What is true after the work was interrupted, as the end of a sentence. */
  readonly state: () => string;
  /**
   * How many milliseconds the work may go on after the signal. Default: until it ends by itself, as it must if it
   * removes what it has begun.
   */
  readonly patience?: number;
}

/** For work on a database, which stays whole if the process ends at any instant. */
export const shortPatience = 2_000;

/**
 * Does work that ends at its next safe point after Ctrl-C or SIGTERM, where it throws the reason of its signal. Then
 * says what has changed.
 */
export async function interruptible<Result>(
  context: Pick<CliContext, "interruption" | "endSoon" | "stderr">,
  { state, patience = Infinity }: Interruptible,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = context.interruption();
  const { promise: late, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    context.endSoon();
    reject(signal.reason);
  };
  const startTimer = (): void => {
    if (Number.isFinite(patience)) timer = setTimeout(giveUp, patience);
  };
  signal.addEventListener("abort", startTimer, { once: true });
  try {
    return await Promise.race([work(signal), late]);
  } catch (error) {
    const isInterrupted = error instanceof SilentExit && error === signal.reason;
    if (isInterrupted && error.exitCode > 128) {
      context.stderr.write(`secplat: interrupted; ${state()}\n`);
    }
    throw error;
  } finally {
    signal.removeEventListener("abort", startTimer);
    clearTimeout(timer);
  }
}
