import { serveMetrics } from "@security-platform/server/internal";
import type { ServeOptions } from "./serve-options.ts";
import { explainHost } from "./start.ts";

/** The page of metrics of a server that may not have started yet. */
export interface ServedMetrics {
  /** Null without the option. */
  readonly url: string | null;
  /** Reads the metrics once the server runs. */
  text: () => Promise<string>;
}

/**
 * Serves the metrics during `work`, if an option asks for them. They come first, so that a port in use ends the start at
 * once, and go last, so that they show what a stop waits for.
 */
export async function withMetrics(
  { metricsPort: port, metricsHost: host }: Pick<ServeOptions, "metricsHost" | "metricsPort">,
  work: (metrics: ServedMetrics) => Promise<void>,
): Promise<void> {
  if (port === undefined) return work({ url: null, text: async () => "" });
  const served = { url: "", text: async () => "" };
  const text = () => served.text();
  const page = await explainHost(host, () => serveMetrics({ host, port, text }), "--metrics-host");
  served.url = page.url;
  try {
    await work(served);
  } finally {
    await page.close();
  }
}
