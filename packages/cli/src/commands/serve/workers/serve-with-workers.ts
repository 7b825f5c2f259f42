import {
  createLogger,
  LimitKeeper,
  prepareStore,
  reservePort,
  systemClock,
} from "@security-platform/server/internal";
import { withdrawServer } from "../../../api/running-server.ts";
import { dataFolder } from "../../../database/url.ts";
import type { CliContext } from "../../../terminal/cli-context.ts";
import { greet } from "../greet.ts";
import type { ServedMetrics } from "../metrics.ts";
import { openStores, prepareDemo } from "../prepare.ts";
import type { ServeOptions } from "../serve-options.ts";
import { configOf, explainHost } from "../start.ts";
import { Supervisor } from "./supervisor.ts";
import { openTls } from "../tls.ts";

/** Prepares the database once, then starts and stops several server processes. */
export async function serveWithWorkers(
  options: ServeOptions,
  context: CliContext,
  metrics: ServedMetrics,
): Promise<void> {
  const stopped = context.stopRequested();
  const tls = await openTls(options, context);
  const config = configOf(options, context, tls);
  const stores = await openStores(options, context);
  let supervisor: Supervisor;
  try {
    const demo = await prepareDemo(options, context, stores);
    await prepareStore(stores.store, systemClock);
    const port = await explainHost(config.host, () => reservePort(config));
    supervisor = new Supervisor({
      count: options.workers,
      port,
      keeper: new LimitKeeper(config.limits, systemClock),
      logger: createLogger(options.logLevel),
    });
    const url = await supervisor.start();
    metrics.text = () => supervisor.metrics.text();
    // A missing certificate is made once, before all workers read it. They report errors.
    const renew = () => openTls(options, context).catch(() => null);
    context.onHangUp(() => void renew().then(() => supervisor.reload()));
    try {
      const served = { url, config, tls, store: stores.store, demo };
      await greet(options, context, { ...served, metricsUrl: metrics.url });
    } catch (error) {
      // The error of the start is more useful than one of the end.
      await supervisor.stop().catch(() => undefined);
      throw error;
    }
  } finally {
    await stores.store.close();
  }
  await stopped;
  withdrawServer(dataFolder(options, context), process.pid);
  await supervisor.stop();
}
