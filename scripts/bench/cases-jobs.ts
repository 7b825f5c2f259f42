import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createTenant,
  newIdentifier,
  openStore,
  resources,
  systemClock,
  type Store,
} from "@security-platform/server";
import { benchJob } from "./bench-job.ts";
import type { BenchCase, BenchRun } from "./cases.ts";
import { printed, startOn, stop, type Result } from "./measure.ts";
import { newDatabase } from "./postgres.ts";

export const jobCases: readonly BenchCase[] = [
  { name: "jobs", run: ({ folder, scale }) => jobs("SQLite", folder, scale) },
  { name: "jobs on PostgreSQL", run: ({ folder, scale }) => jobs("PostgreSQL", folder, scale) },
];

const jobCount = 4_000;
const enqueuedAtOnce = 100;
/** Transactions of one tenant run one after the other, and those of several side by side. */
const tenantCount = 20;

/**
 * Jobs a second from the start of the first to the end of the last: claimed, run and ended in a durable
 * transaction each. Two workers share two processors with the database, and on SQLite the one write lock:
 * they are for the case that one fails, not for speed.
 */
async function jobs(
  engine: "SQLite" | "PostgreSQL",
  folder: BenchRun["folder"],
  scale: number,
): Promise<readonly Result[]> {
  const rates: number[] = [];
  for (const workers of [1, 2]) {
    const url =
      engine === "SQLite"
        ? `sqlite:${join(folder, `jobs-${workers}.sqlite`)}`
        : // oxlint-disable-next-line no-await-in-loop -- one after the other
          await newDatabase(`jobs_${workers}`);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    rates.push(await jobsPerSecond(url, workers, Math.round(jobCount * scale)));
  }
  const [one = 0, two = 0] = rates;
  return [
    {
      name: `jobs a second on ${engine}, one worker`,
      figure: `${Math.round(one)} a second`,
      ratio: one,
      target: 100,
      wanted: "at least",
    },
    {
      name: `jobs on ${engine}, 2 workers / 1 worker`,
      figure: `${Math.round(two)} to ${Math.round(one)} a second`,
      ratio: two / one,
      target: 0.7,
      wanted: "at least",
      note: "each job once",
    },
  ];
}

async function jobsPerSecond(url: string, workers: number, count: number): Promise<number> {
  const store = await openStore({ url, clock: systemClock, resources });
  await enqueue(store, count);
  const program = fileURLToPath(new URL("job-worker.ts", import.meta.url));
  const children = Array.from({ length: workers }, () =>
    startOn(null, ["--conditions=@security-platform/source", program, url]),
  );
  await Promise.all(children.map((child) => printed(child, /ready/)));
  for (const child of children) child.stdin?.write("start\n");
  const ended = async (): Promise<boolean> => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return (await store.jobs.list({ limit: 1, kind: benchJob.name, state: "queued" })).length === 0;
  };
  // oxlint-disable-next-line no-await-in-loop -- looks again
  while (!(await ended()));
  await Promise.all(children.map(stop));
  const done = await store.jobs.list({ limit: count, kind: benchJob.name, state: "succeeded" });
  await store.close();
  if (done.some(({ attempts }) => attempts > 1)) throw new Error("a job ran twice");
  const first = Math.min(...done.map(({ started_at }) => Date.parse(started_at ?? "")));
  const last = Math.max(...done.map(({ finished_at }) => Date.parse(finished_at ?? "")));
  return done.length / ((last - first) / 1_000);
}

async function enqueue(store: Store, count: number): Promise<void> {
  const now = systemClock.now();
  const cids = Array.from({ length: tenantCount }, () => newIdentifier());
  for (const cid of cids) {
    const tenant = { cid, name: "bench", parent_cid: null, created_at: now.toISOString() };
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await createTenant(store, systemClock, tenant);
  }
  for (let from = 0; from < count; from += enqueuedAtOnce) {
    const cid = cids[(from / enqueuedAtOnce) % tenantCount] ?? "";
    const size = Math.min(enqueuedAtOnce, count - from);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await store.write(cid, async (transaction) => {
      for (let number = 0; number < size; number += 1) {
        await transaction.enqueue({ kind: benchJob.name }, now);
      }
    });
  }
}
