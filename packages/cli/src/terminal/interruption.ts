import { systemCode } from "./describe-error.ts";
import { exitCodes, SilentExit } from "./exit-codes.ts";
import { onFirstSignal, stoppingSignals } from "./first-signal.ts";

/**
 * A signal that aborts with a `SilentExit`: at Ctrl-C, when the terminal is closed, and when nobody reads the output any
 * more, as after `| head`. A second Ctrl-C ends the process at once.
 */
export function interruption(process: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  onFirstSignal(process, stoppingSignals(process.stdout, process.stderr), (exitCode) =>
    controller.abort(new SilentExit(exitCode)),
  );
  process.stdout.on("error", (error) => {
    if (systemCode(error) === "EPIPE") controller.abort(new SilentExit(exitCodes.success));
  });
  return controller.signal;
}
