import { onTestFinished } from "vitest";
import type { JobKind, RunningJob } from "../../src/jobs/job-kind.ts";
import { Worker, type WorkerParts } from "../../src/jobs/worker.ts";
import { createLogger } from "../../src/foundation/logger.ts";
import type { Job, NewJob } from "../../src/store/types/job.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import type { Resource, Store } from "../../src/store/types/types.ts";
import type { ManualClock } from "./manual-clock.ts";
import { sightings } from "./sightings.ts";
import { child, type TestStore } from "./store.ts";

/**
 * A worker that is not started: tests drain it. Pauses between attempts have their maximum length.
 */
export function workerOf(
  { store, clock }: Pick<TestStore, "store" | "clock">,
  kinds: readonly JobKind[],
  parts: Partial<WorkerParts> = {},
): Worker {
  const logger = createLogger("silent");
  return new Worker({ store, clock, logger, kinds, random: () => 0, ...parts });
}

/** A kind that records the return value of `run` for each attempt. */
export function noting<Note>(
  name: string,
  notes: Note[],
  note: (job: RunningJob) => Note,
): JobKind {
  return {
    name,
    run: async (job) => {
      notes.push(note(job));
    },
  };
}

/** Enqueues jobs in one transaction. */
export const enqueue = (store: Store, ...jobs: readonly (NewJob & { now: Date })[]) =>
  store.write(child, async (transaction) => {
    const ids: number[] = [];
    for (const { now, ...job } of jobs) ids.push(await transaction.enqueue(job, now));
    return ids;
  });

/** The database from another process. */
export async function anotherStore(
  { url }: Pick<TestStore, "url">,
  clock: ManualClock,
  resources: readonly Resource[] = [sightings],
): Promise<Store> {
  const store = await openStoreAt({ url, clock, resources, durable: false });
  onTestFinished(() => store.close());
  return store;
}

export async function jobOf(store: Store, id: number | undefined): Promise<Job> {
  const job = await store.jobs.get(id ?? -1);
  if (job === null) throw new Error(`there is no job ${id}`);
  return job;
}

/** A promise and its resolve function. */
export function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
