import { exitCodes } from "./exit-codes.ts";
import { systemCode } from "./describe-error.ts";

/**
 * A reader that went away (`| head`) is no failure. Output that was lost otherwise is, also when the
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
