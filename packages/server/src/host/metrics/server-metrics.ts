import { performance } from "node:perf_hooks";
import { collectDefaultMetrics, Registry, type Gauge } from "prom-client";
import type { DiskBlobs } from "../../blobs/blob-store.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Meters, QueueLoad } from "../../foundation/meters.ts";
import type { Store } from "../../store/index.ts";
import { isCount, type ProcessMetrics } from "./join-metrics.ts";
import { addDurations, addMetric } from "./add-metric.ts";
import { addWorkers } from "./add-workers.ts";
import { Remembered } from "./remembered.ts";

export interface MetricsParts {
  readonly meters: Meters;
  readonly store: Store;
  readonly blobs: DiskBlobs;
  readonly clock: Clock;
  /** Whether this server can run a kind of job, such as mails only with a mail server. */
  readonly runs: (kind: string) => boolean;
  /** The number of open connections. */
  readonly connections: () => Promise<number>;
  /** The version of the program. */
  readonly version: string;
}

export interface ServerMetrics {
  /** In the text format of Prometheus. */
  text(): Promise<string>;
  /** For another process, which joins the metrics of several. */
  values(): Promise<ProcessMetrics>;
  /** Those of the values that only increase. They need no database. */
  counts(): Promise<ProcessMetrics>;
}

/** First digits of statuses. */
const digits = [1, 2, 3, 4, 5];
/** Gauges with the names of counters, which repeat others. */
const misnamed = ["handles", "requests", "resources"].map((each) => `nodejs_active_${each}_total`);

/** Gauges of the library that make no sense as a sum over several workers. */
const unsummed = ["process_max_fds", "process_start_time_seconds"];

/** Several scrapers, or workers, ask for the same count. */
const intervals = { jobs: 5_000, dead: 60_000, database: 30_000, files: 3_600_000 };

/**
 * What a server measures of itself. Requests and jobs only add to `Meters`; the rest is read when the metrics are asked
 * for. A value that cannot be read, as while the database is away, is left out.
 */
export function serverMetrics(parts: MetricsParts): ServerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  for (const name of unsummed) {
    const gauge = registry.getSingleMetric(name);
    if (gauge !== undefined) Object.assign(gauge, { aggregator: "max" });
  }
  addWorkers(registry, { workers: 1, reporting: 1 });
  addProcess(registry, parts);
  addRequests(registry, parts);
  addJobs(registry, parts);
  addStore(registry, parts);
  return {
    text: () => registry.metrics(),
    values: () => valuesOf(metricsOf(registry)),
    counts: () => valuesOf(metricsOf(registry).filter(isCount)),
  };
}

/** Any metric of the library. The type is a text, which the library declares as a number. */
type AnyMetric = { readonly type: string; get(): Promise<ProcessMetrics[number]> };

const metricsOf = (registry: Registry) => registry.getMetricsAsArray() as unknown as AnyMetric[];

const valuesOf = (metrics: readonly AnyMetric[]): Promise<ProcessMetrics> =>
  Promise.all(metrics.map((metric) => metric.get()));

function addProcess(registry: Registry, { store, version, connections }: MetricsParts): void {
  addMetric(registry, {
    type: "gauge",
    name: "secplat_build_info",
    help: "The version of the server and of Node.js, and the engine of the database; always 1.",
    aggregator: "first",
    collect: (set) => set({ version, node: process.version, engine: store.engine }, 1),
  });
  let before = performance.eventLoopUtilization();
  addMetric(registry, {
    type: "gauge",
    name: "secplat_event_loop_utilization",
    help: "Part of the time since the last look in which the event loop was busy, from 0 to 1.",
    aggregator: "average",
    collect: (set) => {
      const now = performance.eventLoopUtilization();
      set({}, performance.eventLoopUtilization(now, before).utilization);
      before = now;
    },
  });
  addMetric(registry, {
    type: "gauge",
    name: "secplat_file_descriptors_ratio",
    help: "Part of the file descriptors that the process may open which are open, from 0 to 1; of several workers, the highest.",
    aggregator: "max",
    collect: async (set) => {
      const [open, limit] = await Promise.all(
        ["process_open_fds", "process_max_fds"].map((name) => gaugeOf(registry, name)),
      );
      const ratio = Number(open) / Number(limit);
      // A limit that is unlimited is no number.
      if (Number.isFinite(ratio)) set({}, ratio);
    },
  });
  addMetric(registry, {
    type: "gauge",
    name: "secplat_http_connections",
    help: "Open connections of callers.",
    collect: async (set) => set({}, await connections()),
  });
}

function addRequests(registry: Registry, { meters }: MetricsParts): void {
  addMetric(registry, {
    type: "counter",
    name: "secplat_http_requests_total",
    help: "Responses by operation and class of status.",
    collect: (set) => {
      for (const [operation, { statuses: counts }] of meters.operations) {
        for (const digit of digits) {
          const count = counts[digit] ?? 0;
          if (count > 0) set({ operation, status: `${digit}xx` }, count);
        }
      }
    },
  });
  addDurations(registry, {
    name: "secplat_http_request_duration_seconds",
    help: "Time from the arrival of a request to its response, by operation.",
    label: "operation",
    meters: meters.operations,
  });
  addMetric(registry, {
    type: "gauge",
    name: "secplat_requests",
    help: "Requests in work, and those that wait for their turn. Heavy ones read or write much.",
    collect: (set) => {
      for (const [kind, load] of loadsOf(meters)) {
        set({ kind, state: "in_work" }, load.working);
        set({ kind, state: "waiting" }, load.waiting);
      }
    },
  });
  addMetric(registry, {
    type: "counter",
    name: "secplat_requests_refused_total",
    help: "Requests refused with a 503 before any work: too many waited, one waited too long, or the event loop was late.",
    collect: (set) => {
      const loads = loadsOf(meters).map(([, load]) => load);
      set({ reason: "queue_full" }, sum(loads.map(({ full }) => full)));
      set({ reason: "waited_too_long" }, sum(loads.map(({ late }) => late)));
      set({ reason: "overload" }, meters.refusals.overload);
    },
  });
  addMetric(registry, {
    type: "counter",
    name: "secplat_requests_limited_total",
    help: "Requests refused with a 429, by the limit: of a tenant, of token requests, or of failed authentications.",
    collect: (set) => {
      for (const [limit, count] of Object.entries(meters.refusals.limits)) set({ limit }, count);
    },
  });
}

function addJobs(registry: Registry, { meters, store, clock, runs }: MetricsParts): void {
  addMetric(registry, {
    type: "counter",
    name: "secplat_job_attempts_total",
    help: "Attempts of jobs that ended in this process. dead: no further attempt follows.",
    collect: (set) => {
      for (const [kind, { outcomes }] of meters.jobs) {
        for (const [outcome, count] of Object.entries(outcomes)) {
          if (count > 0) set({ kind, outcome }, count);
        }
      }
    },
  });
  addDurations(registry, {
    name: "secplat_job_duration_seconds",
    help: "Time of an attempt of a job.",
    label: "kind",
    meters: meters.jobs,
  });
  const open = new Remembered(intervals.jobs, () => store.jobs.counts(clock.now(), false));
  const dead = new Remembered(intervals.dead, async () => {
    const counts = await store.jobs.counts(clock.now(), true);
    return counts.filter(({ status }) => status === "dead");
  });
  addMetric(registry, {
    type: "gauge",
    name: "secplat_jobs",
    help: "Jobs in the database, which all its servers share, by kind and state.",
    aggregator: "max",
    collect: async (set) => {
      for (const { kind, status, count } of await open.value()) set({ kind, state: status }, count);
      for (const { kind, count } of await dead.value()) set({ kind, state: "dead" }, count);
    },
  });
  addMetric(registry, {
    type: "gauge",
    name: "secplat_jobs_oldest_seconds",
    help: "Age of the oldest job of a state that this server can run, from the instant that it is for. 0: there is none.",
    aggregator: "max",
    collect: async (set) => {
      const counts = (await open.value()).filter(({ kind }) => runs(kind));
      const now = clock.now().getTime();
      for (const state of ["ready", "running", "retrying"]) {
        const oldest = counts.filter(({ status }) => status === state).map(({ oldest: at }) => at);
        const instant = oldest.toSorted()[0];
        set({ state }, instant === undefined ? 0 : Math.max(0, now - Date.parse(instant)) / 1_000);
      }
    },
  });
}

function addStore(registry: Registry, { store, blobs }: MetricsParts): void {
  addMetric(registry, {
    type: "gauge",
    name: "secplat_database_connections",
    help: "Connections to PostgreSQL, or threads and the writer of SQLite.",
    collect: (set) => {
      for (const { pool, inUse, idle } of store.load()) {
        set({ pool, state: "in_use" }, inUse);
        set({ pool, state: "idle" }, idle);
      }
    },
  });
  addMetric(registry, {
    type: "gauge",
    name: "secplat_database_waiting",
    help: "Reads or transactions that wait for a connection, or for others of their tenant.",
    collect: (set) => {
      for (const { pool, waiting } of store.load()) set({ pool }, waiting);
    },
  });
  if (store.replica() !== null) addReplica(registry, store);
  const database = new Remembered(intervals.database, () => store.sizes.database());
  addMetric(registry, {
    type: "gauge",
    name: "secplat_database_bytes",
    help: "Size of the database.",
    aggregator: "max",
    collect: async (set) => set({}, await database.value()),
  });
  const files = new Remembered(intervals.files, () => filesIn(blobs));
  addMetric(registry, {
    type: "gauge",
    name: "secplat_files",
    help: "Files outside of the database, counted in the background once an hour.",
    aggregator: "max",
    collect: (set) => {
      const known = files.latest();
      if (known !== undefined) set({}, known.count);
    },
  });
  addMetric(registry, {
    type: "gauge",
    name: "secplat_files_bytes",
    help: "Size of the files outside of the database, counted in the background once an hour.",
    aggregator: "max",
    collect: (set) => {
      const known = files.latest();
      if (known !== undefined) set({}, known.bytes);
    },
  });
}

function addReplica(registry: Registry, store: Store): void {
  addMetric(registry, {
    type: "gauge",
    name: "secplat_replica_up",
    help: "Part of the processes whose reads the replica can serve, because it is neither away nor behind; from 0 to 1.",
    aggregator: "average",
    collect: (set) => set({}, store.replica()?.state === "serving" ? 1 : 0),
  });
  addMetric(registry, {
    type: "counter",
    name: "secplat_replica_reads_total",
    help: "Reads that the replica may serve. behind, away: the primary served them.",
    collect: (set) => {
      for (const [outcome, count] of Object.entries(store.replica()?.reads ?? {})) {
        set({ outcome }, count);
      }
    },
  });
}

/** The value of a gauge of the library; undefined if this system has none. */
async function gaugeOf(registry: Registry, name: string): Promise<number | undefined> {
  const gauge = registry.getSingleMetric(name) as Gauge | undefined;
  return (await gauge?.get())?.values[0]?.value;
}

async function filesIn(blobs: DiskBlobs): Promise<{ count: number; bytes: number }> {
  const found = { count: 0, bytes: 0 };
  for await (const { bytes } of blobs.list()) {
    found.count += 1;
    found.bytes += bytes;
  }
  return found;
}

const loadsOf = ({ turns }: Meters): readonly (readonly [string, QueueLoad])[] =>
  Object.entries(turns).map(([kind, load]) => [kind, load()]);

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
