import { addWorkers } from "./add-workers.ts";

/** A metric of a process, of which the library knows the rest. It survives JSON. */
interface ProcessMetric {
  readonly name: string;
  readonly type: string;
}

/** The metrics of one process, for `joinMetrics`. */
export type ProcessMetrics = readonly ProcessMetric[];

export interface JoinedParts {
  /** How many processes there should be. */
  readonly workers: number;
  /** The metrics of the processes that answer. */
  readonly current: readonly ProcessMetrics[];
  /** The last known metrics of processes that have ended or do not answer. Only their counts are still true. */
  readonly former: readonly ProcessMetrics[];
}

/** The metrics of several processes as one text: counts are added, and what all of them share is taken once. */
export async function joinMetrics({ workers, current, former }: JoinedParts): Promise<string> {
  const { AggregatorRegistry, Registry } = await import("prom-client");
  const own = new Registry();
  addWorkers(own, { workers, reporting: 0 });
  const shared = await own.getMetricsAsJSON();
  const all = [shared, ...current, ...former.map(countsOf)];
  return AggregatorRegistry.aggregate(all as object[]).metrics();
}

/** The counts of several processes as those of one. */
export async function joinCounts(processes: readonly ProcessMetrics[]): Promise<ProcessMetrics> {
  const { AggregatorRegistry } = await import("prom-client");
  const joined = AggregatorRegistry.aggregate(processes.map(countsOf) as object[]);
  return (await joined.getMetricsAsJSON()) as unknown as ProcessMetrics;
}

/** Whether a metric only increases, so that it stays true after the end of its process. */
export const isCount = ({ type }: Pick<ProcessMetric, "type">): boolean => type !== "gauge";

const countsOf = (metrics: ProcessMetrics): ProcessMetrics => metrics.filter(isCount);
