// What `npm start` runs once everything is built.
import process from "node:process";

const watchMilliseconds = 250;

// npm passes a signal on to its shell alone, which dies of it and leaves this process to itself.
const shell = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === shell) return;
  clearInterval(watch);
  process.kill(process.pid, "SIGTERM");
}, watchMilliseconds);
watch.unref();

process.argv.splice(2, 0, "serve");
await import("../packages/cli/dist/bin.js");
