import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import {
  createTenant,
  newIdentifier,
  openStoreAt,
  resources,
  systemClock,
  type Store,
} from "@security-platform/server/internal";
import { benchJob } from "../bench-job.ts";
import type { Scenario, BenchRun } from "../scenario.ts";
import { printed, startOn, stop, type Result } from "../measure.ts";
import { connected, newDatabase } from "../postgres.ts";

export const jobScenarios: readonly Scenario[] = [
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
  let own = 0;
  for (const workers of [1, 2]) {
    const url =
      engine === "SQLite"
        ? `sqlite:${join(folder, `jobs-${workers}.sqlite`)}`
        : await newDatabase(`jobs_${workers}`);
    rates.push(await jobsPerSecond(url, workers, Math.round(jobCount * scale)));
    if (workers === 1) own = await engineUpdates(engine, url, Math.round(jobCount * scale));
  }
  const [one = 0, two = 0] = rates;
  return [
    {
      name: `jobs a second on ${engine}, one worker`,
      figure: `${Math.round(one)} a second`,
      ratio: one,
      target: 100,
      targetIs: "at least",
    },
    {
      name: `jobs on ${engine}, one worker / the engine's own updates`,
      figure: `${Math.round(one)} to ${Math.round(own)} a second`,
      ratio: one / own,
      target: 0.5,
      targetIs: "at least",
      note: "the engine: two durable updates a job, without a claim, a lease or a result",
    },
    {
      name: `jobs on ${engine}, 2 workers / 1 worker`,
      figure: `${Math.round(two)} to ${Math.round(one)} a second`,
      ratio: two / one,
      target: 0.7,
      targetIs: "at least",
      note: "each job once",
    },
  ];
}

async function jobsPerSecond(url: string, workers: number, count: number): Promise<number> {
  const store = await openStoreAt({ url, clock: systemClock, resources });
  await enqueue(store, count);
  const program = fileURLToPath(new URL("../job-worker.ts", import.meta.url));
  const children = Array.from({ length: workers }, () =>
    startOn(null, ["--conditions=@security-platform/source", program, url]),
  );
  await Promise.all(children.map((child) => printed(child, /ready/)));
  for (const child of children) child.stdin?.write("start\n");
  const ended = async (): Promise<boolean> => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return (await store.jobs.list({ limit: 1, kind: benchJob.name, state: "queued" })).length === 0;
  };
  while (!(await ended()));
  await Promise.all(children.map(stop));
  const done = await store.jobs.list({ limit: count, kind: benchJob.name, state: "succeeded" });
  await store.close();
  if (done.some(({ attempts }) => attempts > 1)) throw new Error("a job ran twice");
  const first = Math.min(...done.map(({ started_at }) => Date.parse(started_at ?? "")));
  const last = Math.max(...done.map(({ finished_at }) => Date.parse(finished_at ?? "")));
  return done.length / ((last - first) / 1_000);
}

const starts =
  "update jobs set state = 'running', attempts = attempts + 1, lease = 'bench', run_at = due_at where id = ";
const ends =
  "update jobs set state = 'succeeded', lease = null, run_at = null, finished_at = due_at where id = ";

/** Jobs a second if the engine only starts and ends each row, in a durable transaction each. */
async function engineUpdates(
  engine: "SQLite" | "PostgreSQL",
  url: string,
  count: number,
): Promise<number> {
  const ids = "select id from jobs where kind = 'bench.run' order by id";
  let began = performance.now();
  if (engine === "SQLite") {
    const database = new DatabaseSync(url.slice("sqlite:".length));
    database.exec("pragma journal_mode = wal; pragma synchronous = full");
    const updates = [database.prepare(`${starts}?`), database.prepare(`${ends}?`)];
    const rows = database.prepare(`${ids} limit ?`).all(count) as { id: number }[];
    began = performance.now();
    for (const { id } of rows) for (const update of updates) update.run(id);
    database.close();
  } else {
    const client = await connected(url);
    const { rows } = await client.query<{ id: string }>(`${ids} limit $1`, [count]);
    began = performance.now();
    for (const { id } of rows) {
      await client.query({ name: "starts", text: `${starts}$1`, values: [id] });
      await client.query({ name: "ends", text: `${ends}$1`, values: [id] });
    }
    await client.end();
  }
  return count / ((performance.now() - began) / 1_000);
}

async function enqueue(store: Store, count: number): Promise<void> {
  const now = systemClock.now();
  const cids = Array.from({ length: tenantCount }, () => newIdentifier());
  for (const cid of cids) {
    const tenant = { cid, name: "bench", parent_cid: null, created_at: now.toISOString() };
    await createTenant(store, systemClock, tenant);
  }
  for (let from = 0; from < count; from += enqueuedAtOnce) {
    const cid = cids[(from / enqueuedAtOnce) % tenantCount] ?? "";
    const size = Math.min(enqueuedAtOnce, count - from);
    await store.write(cid, async (transaction) => {
      for (let number = 0; number < size; number += 1) {
        await transaction.enqueue({ kind: benchJob.name }, now);
      }
    });
  }
}
