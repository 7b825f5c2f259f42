import { expect, onTestFinished, test, vi } from "vitest";
import { defaultLimits } from "../src/foundation/config.ts";
import { serve } from "../src/host/serve.ts";

/** Milliseconds between two looks at the event loop. */
const look = 1_000;
/** Milliseconds: so long that the mean delay is above the limit, whatever the samples before it. */
const pause = 2_000;

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Holds the event loop. It turns before and after that, so that this is measured. */
async function hold(milliseconds: number): Promise<void> {
  await wait(50);
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
  await wait(50);
}

test(
  "requests are refused while the event loop stays late, except health checks, and served again",
  { tags: ["exhaustive"] },
  async ({ signal }) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await using server = await serve({
      limits: { ...defaultLimits, overloadMilliseconds: 10, requestsPerMinute: 0 },
    });
    const statuses = async (): Promise<readonly number[]> => [
      (await fetch(`${server.url}/iocs/queries/indicators/v1`)).status,
      (await fetch(`${server.url}/healthz`)).status,
    ];
    // The client has no token.
    const served = [401, 200];

    await hold(pause);
    vi.advanceTimersByTime(look);
    expect(await statuses(), "after one pause").toEqual(served);
    await hold(pause);
    vi.advanceTimersByTime(look);
    expect(await statuses()).toEqual([503, 200]);

    let [status] = await statuses();
    while (status === 503) {
      signal.throwIfAborted();
      await wait(100);
      vi.advanceTimersByTime(look);
      [status] = await statuses();
    }
    expect(await statuses()).toEqual(served);
  },
);
