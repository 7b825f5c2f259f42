/** Prints how long a platform inside a test takes, in milliseconds, as one line of JSON. */
const since = (start: number): number => performance.now() - start;

const imported = performance.now();
const { startPlatform } = await import("@security-platform/testing");
const importing = since(imported);

const started = performance.now();
const first = await startPlatform();
const firstStart = since(started);
await first.stop();

const again = performance.now();
const platform = await startPlatform();
const secondStart = since(again);

const indicator = {
  type: "domain",
  value: "a.example",
  action: "detect",
  severity: "high",
  platforms: ["linux"],
  applied_globally: true,
} as const;

/** The median of what `work` takes after each test of one created record. */
async function median(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    await platform.client.ioc.createIndicators({ body: { indicators: [indicator] } });
    const start = performance.now();
    await work();
    times.push(since(start));
  }
  return times.toSorted((left, right) => left - right)[10] ?? Number.NaN;
}

const reset = await median(() => platform.reset());
await platform.seed.world("small");
const snapshot = await platform.snapshot();
const restore = await median(() => platform.restore(snapshot));
await platform.stop();
process.stdout.write(`${JSON.stringify({ importing, firstStart, secondStart, reset, restore })}\n`);
