#!/usr/bin/env node
import { runCommand } from "./command.ts";

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => interrupted.abort());
}

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
});
