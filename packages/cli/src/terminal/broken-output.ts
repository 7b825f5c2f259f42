import { exitCodes } from "./exit-codes.ts";
import { systemCode } from "./describe-error.ts";

/**
 * A reader that closes its end (`| head`) is not an error. Any other lost output is, even if the
 * command itself succeeds.
 */
export function dieAtBrokenOutput({ stdout, stderr }: NodeJS.Process): void {
  stdout.on("error", (error) => {
    if (systemCode(error) === "EPIPE") return;
    stderr.write(`secplat: cannot write to standard output: ${error.message}\n`, () =>
      process.exit(exitCodes.failure),
    );
  });
  stderr.on("error", () => undefined);
}
