import { withdrawServer } from "../../api/running-server.ts";
import { dataFolder } from "../../database/url.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { greet } from "./greet.ts";
import type { ServedMetrics } from "./metrics.ts";
import { openStores, prepareDemo } from "./prepare.ts";
import { reloadCertificate } from "./reload.ts";
import type { ServeOptions } from "./serve-options.ts";
import { configOf, start, withDemo } from "./start.ts";
import { drain } from "./stop.ts";
import { openTls } from "./tls.ts";

/** Serves from this process only. */
export async function serveAlone(
  options: ServeOptions,
  context: CliContext,
  metrics: ServedMetrics,
): Promise<void> {
  const stopped = context.stopRequested();
  const tls = await openTls(options, context);
  const config = configOf(options, context, tls);
  const stores = await openStores(options, context);
  try {
    const demo = await prepareDemo(options, context, stores);
    const server = await start(options, withDemo(config, demo), stores);
    const { logger } = server.context;
    metrics.text = async () => (await server.metrics?.text()) ?? "";
    context.onHangUp(() => void reloadCertificate(options, context, server, logger));
    try {
      const served = { url: server.url, config, tls, store: stores.store, demo };
      await greet(options, context, { ...served, metricsUrl: metrics.url });
      await stopped;
      await drain(server, options);
    } finally {
      withdrawServer(dataFolder(options, context), process.pid);
      await server.close();
    }
  } finally {
    await stores.store.close();
  }
}
