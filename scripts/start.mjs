// The program of `npm start`, after the build.
import process from "node:process";

const watchMilliseconds = 250;

// npm forwards a signal only to its shell, which then ends without stopping this process.
const shell = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === shell) return;
  clearInterval(watch);
  process.kill(process.pid, "SIGTERM");
}, watchMilliseconds);
watch.unref();

process.argv.splice(2, 0, "serve");
await import("../packages/cli/dist/bin.js");
