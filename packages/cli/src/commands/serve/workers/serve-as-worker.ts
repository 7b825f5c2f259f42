import {
  memoryForBodies,
  memoryForResponses,
  SharedLimits,
} from "@security-platform/server/internal";
import { dataFolder } from "../../../database/url.ts";
import { readCredentials } from "../../../demo/credentials.ts";
import type { CliContext } from "../../../terminal/cli-context.ts";
import { openStores } from "../prepare.ts";
import { reloadCertificate } from "../reload.ts";
import type { ServeOptions } from "../serve-options.ts";
import { configOf, start, withDemo } from "../start.ts";
import { drain } from "../stop.ts";
import { withTelemetry } from "../telemetry.ts";
import { openTls } from "../tls.ts";
import type { Assignment } from "./assignment.ts";
import { primaryChannel, workerStop } from "./primary-channel.ts";

/** Serves from one of several processes, until the primary process stops it. */
export async function serveAsWorker(
  options: ServeOptions,
  context: CliContext,
  { number, count, port }: Assignment,
): Promise<void> {
  const stopped = workerStop();
  const primary = primaryChannel();
  const serving = async (): Promise<void> => {
    const tls = await openTls(options, context);
    // The primary process has prepared the demo.
    const demo = options.demo ? readCredentials(dataFolder(options, context)) : null;
    const config = withShare(withDemo(configOf({ ...options, port }, context, tls), demo), count);
    const stores = await openStores(options, context, count);
    try {
      const limits = new SharedLimits(primary.limits, config.limits);
      const server = await start(options, config, stores, { worker: { number, count }, limits });
      try {
        primary.onReload(
          () => void reloadCertificate(options, context, server, server.context.logger),
        );
        const { metrics } = server;
        if (metrics !== null) primary.onMetrics(() => metrics.values());
        primary.ready(server.url);
        await stopped;
        await drain(server, options);
      } finally {
        await server.close();
        if (server.metrics !== null) primary.lastMetrics(await server.metrics.counts());
      }
    } finally {
      await stores.store.close();
    }
  };
  try {
    await withTelemetry(options, context, serving);
  } finally {
    // Also if nothing could start: the channel would keep the process.
    primary.leave();
  }
}

/** All workers together stay within the limit, except for rounding. */
function withShare<Config extends ReturnType<typeof configOf>>(
  config: Config,
  count: number,
): Config {
  const connections = Math.ceil(config.limits.connections / count);
  const bodyMemoryBytes = Math.ceil(memoryForBodies(config.limits) / count);
  const responseMemoryBytes = Math.ceil(memoryForResponses(config.limits) / count);
  const limits = { ...config.limits, connections, bodyMemoryBytes, responseMemoryBytes };
  return { ...config, limits };
}
