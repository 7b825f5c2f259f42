import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../foundation/clock.ts";
import { createLogger } from "../foundation/logger.ts";
import type { Store } from "../store/index.ts";
import type { JobKind } from "./job-kind.ts";
import { Worker } from "./worker.ts";

/** Short, so that a repeated command soon takes the job of a process that was killed. */
const leaseMilliseconds = 3_000;
const pollMilliseconds = 100;

/**
 * Runs the due jobs of this kind now, for commands that work without a server. Waits for those that
 * another process runs.
 */
export async function runNow(store: Store, clock: Clock, kind: JobKind): Promise<void> {
  const logger = createLogger("silent");
  const worker = new Worker({ store, clock, logger, kinds: [kind], leaseMilliseconds });
  for (;;) {
    await worker.drain();
    const running = await store.jobs.list({ limit: 1, state: "running", kind: kind.name });
    if (running.length === 0) return;
    await pause(pollMilliseconds);
  }
}
