/**
 * Loaded into a server with `--import loop-probe.ts?<socket>`. Measures how long the main thread works between two
 * turns of the event loop, and responds with the maximum since the last question.
 */
import { createServer } from "node:http";

/** Milliseconds. Processor time leaves out the time in which other processes ran. */
export interface LongestTurn {
  readonly processor: number;
  readonly elapsed: number;
}

let before = { processor: processorMilliseconds(), elapsed: performance.now() };
let longest = { processor: 0, elapsed: 0 };

function look(): void {
  const now = { processor: processorMilliseconds(), elapsed: performance.now() };
  longest = {
    processor: Math.max(longest.processor, now.processor - before.processor),
    elapsed: Math.max(longest.elapsed, now.elapsed - before.elapsed),
  };
  before = now;
}

function processorMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

setInterval(look, 1).unref();
createServer((_request, response) => {
  look();
  response.end(JSON.stringify(longest satisfies LongestTurn));
  longest = { processor: 0, elapsed: 0 };
})
  .listen(decodeURIComponent(new URL(import.meta.url).search.slice(1)))
  .unref();
