import type { Output } from "./cli-context.ts";
import { onFirstSignal, stoppingSignals } from "./first-signal.ts";

/** Resolves at the first stop signal; a later one ends the process at once. */
export function stopSignal(stderr: Output): Promise<void> {
  return new Promise((resolve) => {
    // Without a listener, it would end the process.
    process.on("SIGHUP", () => undefined);
    onFirstSignal(process, stoppingSignals(stderr), () => {
      announce(stderr);
      resolve();
    });
  });
}

function announce(stderr: Output): void {
  if (stderr.isTTY !== true) return;
  stderr.write("\nStopping: requests in progress are finished. Ctrl-C again stops at once.\n");
}
