#!/usr/bin/env node
import { isMainThread } from "node:worker_threads";
import { runInThread, watch } from "./watch.ts";

if (isMainThread) {
  // A reader that closes its end (`| head`) is not an error; any other lost output is.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`spec-gate: cannot write to standard output: ${error.message}\n`, () =>
      process.exit(2),
    );
  });
  process.stderr.on("error", () => undefined);
  process.exitCode = await watch(process.argv.slice(2), new URL(import.meta.url));
} else await runInThread(process.argv.slice(2));
