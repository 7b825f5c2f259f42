import { constants } from "node:os";
import { systemCode } from "./describe-error.ts";
import { exitCodes } from "./exit-codes.ts";

/** Ends a command that was interrupted, without a message. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly exitCode: number;
  constructor(exitCode: number) {
    super("interrupted");
    this.exitCode = exitCode;
  }
}

/**
 * A signal that aborts with `Interrupted`: at Ctrl-C, and when nobody reads the output any more, as after
 * `| head`. A second Ctrl-C ends the process at once.
 */
export function interruption(process: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => controller.abort(new Interrupted(128 + constants.signals[name])));
  }
  process.stdout.on("error", (error) => {
    if (systemCode(error) === "EPIPE") controller.abort(new Interrupted(exitCodes.success));
  });
  return controller.signal;
}
