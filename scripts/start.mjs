// The program of `npm start`: builds what has changed, with a line for each package, and serves.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const watchMilliseconds = 250;
const program = new URL("../packages/cli/dist/bin.js", import.meta.url);
const isHelp = process.argv.slice(2).some((word) => word === "--help" || word === "-h");

if (isHelp) {
  // A prompt must not wait for a build.
  if (existsSync(program)) await serve();
  else printShortHelp();
} else if (build()) {
  performance.mark("secplat: built");
  await serve();
}

async function serve() {
  // npm forwards a signal only to its shell, which then ends without stopping this process.
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, watchMilliseconds);
  watch.unref();
  process.argv.splice(2, 0, "serve");
  await import(program.href);
}

function build() {
  if (!existsSync(program)) console.error("Building; the first time takes a minute or two.");
  const turbo = fileURLToPath(new URL("../node_modules/turbo/bin/turbo", import.meta.url));
  const words = ["run", "build", "--output-logs=hash-only", "--log-order=stream"];
  // Standard output is only for what the server prints.
  const { status } = spawnSync(process.execPath, [turbo, ...words], { stdio: ["ignore", 2, 2] });
  process.exitCode = status ?? 1;
  return status === 0;
}

function printShortHelp() {
  console.log(`Usage: npm start -- [options]

Builds the project, fills an empty database with a small demo world, and serves it.

  --host <address>     address to listen on (default 127.0.0.1)
  --port <number>      port to listen on (default 8080); 0 selects a free port
  --data <folder>      folder of the database (default .data)
  --no-demo            do not fill an empty database
  --no-docs            do not serve documentation
  --json               print one JSON value, for scripts

These are the most used options. After the first build this command lists all of them.`);
}
