#!/usr/bin/env node
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { asker } from "./terminal/ask.ts";
import { dieAtBrokenOutput } from "./terminal/broken-output.ts";
import { interruption } from "./terminal/interruption.ts";
import { keepSignals } from "./terminal/keep-signals.ts";
import { stopSignal } from "./terminal/stop-signal.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 16) || major === 23) {
  process.stderr.write(
    `secplat: this is Node.js ${process.versions.node}; expected 22.16 or later, but not 23\n`,
  );
  process.exit(1);
}
// All files that this process creates may contain secrets or customer data: only this user may read
// them.
process.umask(0o077);
dieAtBrokenOutput(process);

// A later start does not compile the program again. The folder belongs to the user, because its
// content is executed.
module.enableCompileCache(
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "secplat"),
);

// Loaded after the version check, because older versions of Node.js cannot load it.
const { run } = await import("./program.ts");
let endsSoon = false;
process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  workingFolder: process.cwd(),
  stopRequested: () => stopSignal(process.stderr),
  interruption: () => interruption(process),
  endSoon: () => (endsSoon = true),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask: asker(process) } : {}),
  signals: () => keepSignals(process),
  onHangUp: (listener) => void process.on("SIGHUP", listener),
});
// Without anything that waits, the process ends before.
if (endsSoon) setTimeout(() => process.exit(), 100).unref();
