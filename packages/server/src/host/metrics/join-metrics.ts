/** The metrics of one process, for `joinMetrics`. They survive JSON. */
export type ProcessMetrics = readonly object[];

/** The metrics of several processes as one text: counts are added, and what all of them share is taken once. */
export async function joinMetrics(processes: readonly ProcessMetrics[]): Promise<string> {
  const { AggregatorRegistry } = await import("prom-client");
  return AggregatorRegistry.aggregate([...processes]).metrics();
}
