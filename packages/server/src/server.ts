import type { AddressInfo } from "node:net";
import type { Server as SecureServer } from "node:tls";
import type { Logger } from "pino";
import { signingKey } from "./access/signing-keys.ts";
import { backgroundWork } from "./background.ts";
import type { BlobStore } from "./blobs/blob-store.ts";
import { ownBlobs } from "./blobs/open-blobs.ts";
import { provisionTenants } from "./catalogue/index.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { ServerConfig, TlsConfig } from "./config.ts";
import type { Context } from "./context.ts";
import { caseFileLinks } from "./domain/case-management/files/linked-files.ts";
import { HostDirectories } from "./host-files/host-directories.ts";
import type { HostFiles } from "./host-files/host-files.ts";
import { createApp } from "./http/app.ts";
import { listen } from "./http/listen.ts";
import { Stopping } from "./http/stopping.ts";
import type { Observer } from "./http/operation-route.ts";
import { Worker } from "./jobs/worker.ts";
import { LocalLimits, type Limits } from "./limits/limits.ts";
import { operationAuthorizations, operationHandlers } from "./operations/index.ts";
import { SmtpMailer } from "./mail/smtp-mailer.ts";
import { Outgoing } from "./outgoing/outgoing.ts";
import type { Resolve } from "./outgoing/resolve.ts";
import type { Store } from "./store/index.ts";

export interface RunningServer {
  /** `http://host:port`, or `https:`, without a trailing slash. */
  readonly url: string;
  readonly context: Context;
  /** Runs background jobs if the configuration enables it. */
  readonly worker: Worker;
  /**
   * Asks load balancers and clients to use other servers: `/readyz` is a 503, and answers close their connections.
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
  readonly blobs?: BlobStore;
  /** Default: counters of this process. Processes that share a port share their counters (`joinLimits`). */
  readonly limits?: Limits;
  readonly observe?: Observer;
  /** Looks up host names for outgoing requests. Default: the system's name servers. */
  readonly resolve?: Resolve;
  /** The source of files from hosts. Default: the folder of the configuration. */
  readonly hostFiles?: HostFiles;
}

const idleLookMilliseconds = 50;

/** No write pauses for so long, unless requests may take longer. */
const longestPause = 60 * 60_000;

/**
 * Prepares the database for a server: writes the catalogue's records of every tenant and the signing keys.
 * Throws `SecretKeyError` if the keys for secrets are missing. A repeated call changes nothing. A process
 * that starts workers calls it first.
 */
export async function prepareStore(
  store: Store,
  clock: Clock,
): Promise<Pick<Context, "cursorSecret" | "linkKey">> {
  await store.secrets.prepare();
  await provisionTenants(store, clock);
  const now = clock.now();
  const cursorSecret = await signingKey(store, "cursors", now);
  const linkKey = await signingKey(store, "links", now);
  return { cursorSecret, linkKey };
}

/** Starts the HTTP server over an open store. Throws with a plain message when it cannot listen. */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { config, store, logger, clock = systemClock } = parts;
  const { cursorSecret, linkKey } = await prepareStore(store, clock);
  const own = ownBlobs(config.databaseUrl);
  const { blobs = own.blobs, limits = new LocalLimits(config.limits) } = parts;
  const { allowedNetworks } = config.outgoing;
  const { resolve } = parts;
  const outgoing = new Outgoing({ allowedNetworks, ...(resolve === undefined ? {} : { resolve }) });
  const signed = { cursorSecret, linkKey };
  const { rtrRoot } = config;
  const { hostFiles = rtrRoot === undefined ? null : new HostDirectories(rtrRoot) } = parts;
  const context: Context = {
    store,
    clock,
    config,
    logger,
    limits,
    blobs,
    outgoing,
    hostFiles,
    ...signed,
  };
  const worker = workerOf(context);
  const pause = Math.max(longestPause, 2 * config.limits.requestMilliseconds);
  // The clock of file timestamps.
  await blobs.clear(new Date(systemClock.now().getTime() - pause));
  const stopping = new Stopping();
  const app = await createApp(context, operationHandlers, {
    observe: parts.observe,
    authorizations: operationAuthorizations,
    links: caseFileLinks,
    stopping,
  });
  await listen(app, config);
  if (config.backgroundWork) worker.start();
  const { port } = app.server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return {
    url: `${config.tls === undefined ? "http" : "https"}://${host}:${port}`,
    context,
    worker,
    drain: () => stopping.begin(app.server),
    useCertificate: ({ cert, key }) =>
      (app.server as Partial<Pick<SecureServer, "setSecureContext">>).setSecureContext?.({
        cert,
        key,
      }),
    close: async () => {
      const stopped = worker.stop();
      // A keep-alive connection becomes idle after its last request. It must not delay the stop.
      const letGo = setInterval(() => app.server.closeIdleConnections(), idleLookMilliseconds);
      await app.close().finally(() => clearInterval(letGo));
      await stopped;
      await own.close();
    },
  };
}

function workerOf(context: Context): Worker {
  const { store, blobs, clock, logger, config, outgoing, hostFiles } = context;
  const mailer = config.mail === null ? null : new SmtpMailer(config.mail);
  const kinds = backgroundWork({
    store,
    blobs,
    clock,
    mailer,
    outgoing,
    fileClock: systemClock,
    notifications: config.outgoing,
    hostFiles,
    fileBytes: config.limits.uploadBytes,
  });
  return new Worker({ store, clock, logger, kinds });
}
