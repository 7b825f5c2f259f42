import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { load, type Rate } from "../load.ts";
import type { Result } from "../measure.ts";
import { fill, start, type Filled } from "../platform.ts";

export const workerScenarios: readonly Scenario[] = [{ name: "workers", run: workers }];

/** Large enough that the server has more work than the load generator beside it. */
const path = "/iocs/combined/indicator/v1?limit=200";
/** Beyond what a run can reach, so that requests are counted as usual and none is refused. */
const countedLimit = "--rate-limit=1000000000";

/**
 * Pages from one process and from two workers, on all processors. Two workers on two processors share
 * them with the load generator, so the ratio stays below 2.
 */
async function workers({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const filled = await fill(`sqlite:${join(folder, "workers.sqlite")}`, 100_000 * scale);
  const one = await pages(filled, 1, seconds);
  const two = await pages(filled, 2, seconds);
  const note = `on ${availableParallelism()} processors, which the load generator shares`;
  return [
    {
      name: "pages from 2 workers / from 1 process",
      figure: `${Math.round(two.perSecond)} to ${Math.round(one.perSecond)} a second`,
      ratio: two.perSecond / one.perSecond,
      target: 1.3,
      targetIs: "at least",
      note,
    },
    {
      name: "processor time of a page, 2 workers / 1 process",
      figure: `${milliseconds(two)} to ${milliseconds(one)} ms`,
      ratio: one.perProcessorSecond / two.perProcessorSecond,
      target: 1.25,
      targetIs: "at most",
      note,
    },
  ];
}

const milliseconds = ({ perProcessorSecond }: Rate): string =>
  (1_000 / perProcessorSecond).toFixed(2);

async function pages(filled: Filled, count: number, seconds: number): Promise<Rate> {
  // The load generator takes processors from the server, which must not count as overload.
  const words = [`--workers=${count}`, countedLimit, "--overload-delay=0"];
  const platform = await start(filled, { words, processor: null });
  const target = {
    url: platform.url + path,
    headers: platform.headers,
    processor: null,
  };
  await load(platform.pid, { ...target, seconds: 2 });
  const rate = await load(platform.pid, { ...target, seconds });
  await platform.stop();
  if (rate.failures > 0) throw new Error(`${rate.failures} answers of ${count} workers failed`);
  return rate;
}
