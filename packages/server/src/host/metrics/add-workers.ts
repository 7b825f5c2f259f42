import type { Registry } from "prom-client";
import { addMetric } from "./add-metric.ts";

/**
 * Adds how many processes serve requests, and how many of them the page describes. Each process reports itself; the
 * primary process of several adds how many there should be.
 */
export function addWorkers(
  registry: Registry,
  { workers, reporting }: { readonly workers: number; readonly reporting: number },
): void {
  addMetric(registry, {
    type: "gauge",
    name: "secplat_workers",
    help: "Processes that should serve requests: the number of --workers.",
    aggregator: "max",
    collect: (set) => set({}, workers),
  });
  addMetric(registry, {
    type: "gauge",
    name: "secplat_workers_reporting",
    help: "Processes whose values are on this page. Of the others, it has only the last known counts.",
    collect: (set) => set({}, reporting),
  });
}
