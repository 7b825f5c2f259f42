import { constants } from "node:os";
import type { Output } from "./cli-context.ts";

/** One Ctrl-C can arrive twice: from the terminal, and passed on by npm. */
const sameMilliseconds = 500;

/**
 * The signals that stop a process. A terminal that is closed sends SIGHUP. Without a terminal, log rotation and renewals
 * of certificates send it, and nohup ignores it. `outputs`: those that may be the terminal.
 */
export const stoppingSignals = (
  ...outputs: readonly Pick<Output, "isTTY">[]
): readonly NodeJS.Signals[] =>
  outputs.some(({ isTTY }) => isTTY === true)
    ? ["SIGINT", "SIGTERM", "SIGHUP"]
    : ["SIGINT", "SIGTERM"];

/** Calls `listener` at the first of these signals. A later one ends the process at once. */
export function onFirstSignal(
  process: Pick<NodeJS.Process, "on" | "exit">,
  signals: readonly NodeJS.Signals[],
  listener: (exitCode: number) => void,
): void {
  let firstAt: number | null = null;
  for (const signal of signals) {
    process.on(signal, () => {
      const exitCode = 128 + constants.signals[signal];
      if (firstAt === null) {
        firstAt = performance.now();
        listener(exitCode);
      } else if (performance.now() - firstAt > sameMilliseconds) {
        process.exit(exitCode);
      }
    });
  }
}
