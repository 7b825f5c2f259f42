import { constants } from "node:os";
import type { Output } from "./surroundings.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves at the first signal to stop; a second one ends the process at once. */
export function stopSignal(stderr: Output): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (asked) process.exit(128 + constants.signals[signal]);
        asked = true;
        if (stderr.isTTY === true) {
          stderr.write(
            "\nStopping: requests under way are finished. Ctrl-C again stops at once.\n",
          );
        }
        resolve();
      });
    }
  });
}
