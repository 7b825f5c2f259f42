import { constants } from "node:os";
import { systemCode } from "./describe-error.ts";
import { exitCodes, SilentExit } from "./exit-codes.ts";

/**
 * A signal that aborts with a `SilentExit`: at Ctrl-C, and when nobody reads the output any more, as after
 * `| head`. A second Ctrl-C ends the process at once.
 */
export function interruption(process: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => controller.abort(new SilentExit(128 + constants.signals[name])));
  }
  process.stdout.on("error", (error) => {
    if (systemCode(error) === "EPIPE") controller.abort(new SilentExit(exitCodes.success));
  });
  return controller.signal;
}
