import type { Metric, Registry } from "prom-client";
import { durationBounds, type DurationMeter } from "../../foundation/meters.ts";

type Labels = Readonly<Record<string, string>>;

/** Sets the value of a combination of labels. */
type SetValue = (labels: Labels, value: number) => void;

interface Description {
  readonly type: "counter" | "gauge";
  readonly name: string;
  readonly help: string;
  /** How the metrics of several workers become one. Default: they are added. */
  readonly aggregator?: "average" | "first" | "max";
  /** Sets all values. If it fails, the metric has none. */
  readonly collect: (set: SetValue) => void | Promise<void>;
}

interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

interface Registered extends Omit<Description, "type" | "collect"> {
  readonly type: Description["type"] | "histogram";
}

/** Adds a metric whose values are counted elsewhere. The classes of the library count themselves. */
function register(
  registry: Registry,
  { type, name, help, aggregator }: Registered,
  values: () => Promise<readonly Value[]>,
): void {
  const described = { type, name, help, aggregator: aggregator ?? "sum" };
  const metric = { name, type, get: async () => ({ ...described, values: await values() }) };
  registry.registerMetric(metric as unknown as Metric);
}

export function addMetric(registry: Registry, { collect, ...described }: Description): void {
  register(registry, described, async () => {
    const values: Value[] = [];
    try {
      await withPatience(collect((labels, value) => values.push({ labels, value })));
      return values;
    } catch {
      // While the database is away, the metrics of the process are needed most.
      return [];
    }
  });
}

/** Shorter than the usual time limit of a scrape, 10 s. */
const patienceMilliseconds = 3_000;

async function withPatience(collected: void | Promise<void>): Promise<void> {
  if (collected === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const impatience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no value in time")), patienceMilliseconds);
  });
  try {
    await Promise.race([collected, impatience]);
  } finally {
    clearTimeout(timer);
  }
}

interface Durations {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** By the value of the label. */
  readonly meters: ReadonlyMap<string, { readonly durations: DurationMeter }>;
}

/** Adds a histogram with a series for each meter that has counted anything. */
export function addDurations(registry: Registry, { name, help, label, meters }: Durations): void {
  register(registry, { type: "histogram", name, help }, async () =>
    [...meters].flatMap(([value, { durations }]) =>
      durations.buckets.some((count) => count > 0)
        ? histogram(name, { [label]: value }, durations)
        : [],
    ),
  );
}

/** The buckets of the text format contain those before them. */
function histogram(name: string, labels: Labels, { buckets, sum }: DurationMeter): Value[] {
  let count = 0;
  const values = [...buckets].map((observed, at): Value => {
    count += observed;
    const le = durationBounds[at] ?? "+Inf";
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
  });
  return [
    ...values,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
