import type { AddressInfo, Server } from "node:net";
import type { Server as SecureServer } from "node:tls";
import type { Logger } from "pino";
import type { DiskBlobs } from "../blobs/blob-store.ts";
import { ownBlobs } from "../blobs/open-blobs.ts";
import { systemClock, type Clock } from "../foundation/clock.ts";
import { ControlledClock } from "../control/controlled-clock.ts";
import { createControlledPlatform } from "../control/controlled-platform.ts";
import type { ServerConfig, TlsConfig } from "../foundation/config.ts";
import { Meters } from "../foundation/meters.ts";
import type { Context } from "../calls/context.ts";
import { assessImages } from "../domain/container/assessments/assess-images.ts";
import { HostDirectories } from "../host-files/host-directories.ts";
import type { HostFiles } from "../host-files/host-files.ts";
import { connectionsOf } from "../http/connections/connections.ts";
import { listen } from "../http/connections/listen.ts";
import { serveDocs } from "../http/docs.ts";
import { DocsSite } from "../http/docs-site/site.ts";
import type { Observer } from "../http/routes/route-parts.ts";
import type { Worker } from "../jobs/worker.ts";
import { DatabaseLimits } from "../limits/database-limits.ts";
import { LocalLimits, type Limits } from "../limits/limits.ts";
import { SmtpMailer } from "../mail/smtp-mailer.ts";
import { HttpOutgoing } from "../outgoing/http-outgoing.ts";
import type { Resolve } from "../outgoing/resolve.ts";
import { createPlatform, type Platform, type PlatformParts } from "../platform/platform.ts";
import type { Store } from "../store/index.ts";
import type { ServerMetrics } from "./metrics/server-metrics.ts";
import { activeTracing } from "./tracing/active-tracing.ts";

export interface RunningServer {
  /** `http://host:port`, or `https:`, without a trailing slash. */
  readonly url: string;
  readonly context: Context;
  readonly blobs: DiskBlobs;
  /** Runs background jobs if the configuration enables it. */
  readonly worker: Worker;
  /** What the server measures of itself; null unless it was asked to. */
  readonly metrics: ServerMetrics | null;
  /** Handles a request without a connection. */
  fetch(request: Request): Promise<Response>;
  /**
   * Asks load balancers and clients to use other servers: `/readyz` responds with 503, and responses close their connections.
   * Requests are still handled.
   */
  drain(): void;
  /** Uses another certificate for new connections. Throws if it cannot be used. Only for https. */
  useCertificate(tls: TlsConfig): void;
  /** Stops accepting requests and finishes the current ones. The store stays open. */
  close(): Promise<void>;
}

export interface ServerParts {
  readonly config: ServerConfig;
  readonly store: Store;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Default: a folder next to a SQLite database, or a temporary folder for any other database. */
  readonly blobs?: DiskBlobs;
  /**
   * Default: counters of this process. Processes that share a port share their counters (`SharedLimits`), and servers of
   * one PostgreSQL share those of requests.
   */
  readonly limits?: Limits;
  readonly observe?: Observer;
  /** Measure this server, as a program of this version. Default: it counts nothing. */
  readonly metrics?: { readonly version: string };
  /** Looks up host names for outgoing requests. Default: the system's name servers. */
  readonly resolve?: Resolve;
  /** The source of files from hosts. Default: the folder of the configuration. */
  readonly hostFiles?: HostFiles;
}

const idleLookMilliseconds = 50;

/** Minimum age of files that are left over. No write pauses for so long, unless requests may take longer. */
const longestPause = 60 * 60_000;

/**
 * Starts a platform in Node.js: with files in folders or an object store, mails, requests to other servers, and an
 * HTTP server. Throws with a plain message when it cannot listen.
 */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { config, store, logger, clock = systemClock, resolve } = parts;
  const { host, mail, rtrRoot, docsFolder, limits } = config;
  const own = ownBlobs(config.databaseUrl);
  const { blobs = own.blobs } = parts;
  const { hostFiles = rtrRoot === undefined ? null : new HostDirectories(rtrRoot) } = parts;
  const { allowedNetworks } = config.outgoing;
  const pause = Math.max(longestPause, 2 * limits.requestMilliseconds);
  // The clock of file timestamps.
  await blobs.clear(new Date(systemClock.now().getTime() - pause));
  const site = docsFolder === null ? null : await DocsSite.open(docsFolder, logger);
  const authority = host.includes(":") ? `[${host}]` : host;
  const meters = parts.metrics === undefined ? undefined : new Meters();
  const tracing = await activeTracing();
  const http = new HttpOutgoing({ allowedNetworks, ...(resolve === undefined ? {} : { resolve }) });
  const { limits: local = new LocalLimits(limits) } = parts;
  // The control plane shows and clears the counters of this process.
  const shared =
    store.limitCounts === null || config.development
      ? null
      : new DatabaseLimits({
          counts: store.limitCounts,
          limits,
          clock,
          local,
          onAway: (error) =>
            logger.warn(
              { err: error },
              "the database did not add the counts of the limits of requests; until it does, this server counts alone",
            ),
        });
  const platformParts: PlatformParts = {
    store,
    clock,
    logger,
    blobs,
    config: {
      ...config,
      authority: `${authority}:${config.port}`,
      ...(site === null ? {} : { guides: site }),
    },
    limits: shared ?? parts.limits,
    mailer: mail === null ? null : new SmtpMailer(mail),
    outgoing: tracing?.outgoing(http) ?? http,
    meters,
    tracer: tracing?.requests,
    traceJob: tracing?.job,
    hostFiles,
    observe: parts.observe,
    jobs: ({ outgoing, storage }) => [
      assessImages({ store, blobs, outgoing, storage, fileClock: systemClock }),
    ],
    connections: connectionsOf(site === null ? config : { ...config, guides: site }, logger),
    addPages: site === null ? undefined : (app) => serveDocs(app, site, config),
  };
  const platform = await (config.development
    ? createDevelopmentPlatform(platformParts, clock)
    : createPlatform(platformParts));
  const { app } = platform;
  await listen(app, config);
  if (config.backgroundWork) platform.start();
  const { port } = app.server.address() as AddressInfo;
  const metrics =
    parts.metrics === undefined || meters === undefined
      ? null
      : (await import("./metrics/server-metrics.ts")).serverMetrics({
          ...parts.metrics,
          meters,
          store,
          blobs,
          clock,
          runs: (kind) => platform.worker.runs(kind),
          connections: () => openConnections(app.server),
        });
  return {
    url: `${config.tls === undefined ? "http" : "https"}://${authority}:${port}`,
    context: platform.context,
    blobs,
    worker: platform.worker,
    metrics,
    fetch: platform.fetch,
    drain: platform.drain,
    useCertificate: ({ cert, key }) =>
      (app.server as Partial<Pick<SecureServer, "setSecureContext">>).setSecureContext?.({
        cert,
        key,
      }),
    close: async () => {
      // A keep-alive connection becomes idle after its last request. It must not delay the stop.
      const letGo = setInterval(() => app.server.closeIdleConnections(), idleLookMilliseconds);
      await platform.stop().finally(() => clearInterval(letGo));
      await shared?.stop();
      await own.close();
    },
  };
}

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

/** A platform with `/_control`. A reset returns to its present state, if the database can be restored. */
async function createDevelopmentPlatform(parts: PlatformParts, clock: Clock): Promise<Platform> {
  const controlled = clock instanceof ControlledClock ? clock : new ControlledClock(clock);
  const platform = await createControlledPlatform({ ...parts, clock: controlled, overHttp: true });
  if (parts.store.snapshots !== null) await platform.controls.keepInitial();
  return platform;
}
