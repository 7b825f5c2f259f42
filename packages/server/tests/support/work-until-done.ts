import { setTimeout } from "node:timers/promises";
import { systemClock } from "../../src/foundation/clock.ts";
import { Worker } from "../../src/jobs/worker.ts";
import { createLogger } from "../../src/foundation/logger.ts";
import type { Store } from "../../src/store/types/types.ts";

/** Runs jobs of these kinds until none is left in any process, and closes the store. */
export async function workUntilDone(
  store: Store,
  kinds: ConstructorParameters<typeof Worker>[0]["kinds"],
  leaseMilliseconds = 500,
): Promise<void> {
  const worker = new Worker({
    store,
    clock: systemClock,
    logger: createLogger("error"),
    kinds,
    leaseMilliseconds,
    pollMilliseconds: 50,
  });
  worker.start();
  const isLeft = async (state: "queued" | "running" | "failed"): Promise<boolean> => {
    const lists = kinds.map(({ name }) => store.jobs.list({ limit: 1, state, kind: name }));
    return (await Promise.all(lists)).some((list) => list.length > 0);
  };
  while ((await isLeft("queued")) || (await isLeft("running")) || (await isLeft("failed"))) {
    await setTimeout(20);
  }
  await worker.stop();
  await store.close();
}
