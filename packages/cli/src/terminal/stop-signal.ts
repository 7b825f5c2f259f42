import { constants } from "node:os";
import type { Output } from "./cli-context.ts";

/** A terminal that is closed sends SIGHUP. Without a terminal, log rotation and renewals of certificates send it. */
const signalsOf = ({ isTTY }: Output) =>
  isTTY === true ? (["SIGINT", "SIGTERM", "SIGHUP"] as const) : (["SIGINT", "SIGTERM"] as const);

/** One Ctrl-C can arrive twice: from the terminal, and passed on by npm. */
const sameMilliseconds = 500;

/** Resolves at the first stop signal; a later one ends the process at once. */
export function stopSignal(stderr: Output): Promise<void> {
  return new Promise((resolve) => {
    let firstSignalAt: number | null = null;
    // Without a listener, it would end the process.
    process.on("SIGHUP", () => undefined);
    for (const signal of signalsOf(stderr)) {
      process.on(signal, () => {
        if (firstSignalAt === null) {
          firstSignalAt = performance.now();
          announce(stderr);
          resolve();
        } else if (performance.now() - firstSignalAt > sameMilliseconds) {
          process.exit(128 + constants.signals[signal]);
        }
      });
    }
  });
}

function announce(stderr: Output): void {
  if (stderr.isTTY !== true) return;
  stderr.write("\nStopping: requests in progress are finished. Ctrl-C again stops at once.\n");
}
