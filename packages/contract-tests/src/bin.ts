#!/usr/bin/env node
import { runCommand } from "./command.ts";

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => interrupted.abort());
}

// A reader that closes its end (`| head`) is not an error; any other lost output is.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(`contract-tests: cannot write to standard output: ${error.message}\n`, () =>
    process.exit(2),
  );
});
process.stderr.on("error", () => undefined);

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
});
