/** @module-tag exhaustive */
import { expect, test } from "vitest";
import { defaultLimits } from "../src/config.ts";
import { serve } from "../src/host/serve.ts";

/** Keeps the event loop busy in turns of this length, until `done`. */
async function keepBusy(turnMilliseconds: number, done: () => boolean): Promise<void> {
  while (!done()) {
    const end = performance.now() + turnMilliseconds;
    while (performance.now() < end);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("requests are refused while the event loop is late, except health checks, and served again", async ({
  signal,
}) => {
  await using server = await serve({
    limits: { ...defaultLimits, overloadMilliseconds: 100, requestsPerMinute: 0 },
  });
  const get = async (path: string): Promise<number> => (await fetch(server.url + path)).status;
  const path = "/iocs/queries/indicators/v1";
  const statuses = new Set<number>();
  const health = new Set<number>();
  let isOver = false;
  const late = keepBusy(300, () => isOver);
  try {
    while (!statuses.has(503)) {
      signal.throwIfAborted();
      statuses.add(await get(path));
      health.add(await get("/healthz"));
    }
  } finally {
    isOver = true;
    await late;
  }
  // The client has no token.
  expect([...statuses].filter((status) => ![401, 503].includes(status))).toEqual([]);
  expect([...health]).toEqual([200]);
  while ((await get(path)) === 503) signal.throwIfAborted();
});
