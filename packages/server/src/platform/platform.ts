import type { Logger } from "pino";
import { signingKey } from "../access/signing-keys.ts";
import { backgroundWork } from "./background.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import { MemoryBlobs } from "../blobs/memory-blobs.ts";
import { provisionTenants } from "../catalogue/index.ts";
import { systemClock, type Clock } from "../foundation/clock.ts";
import { defaultConfig, type PlatformConfig } from "../foundation/config.ts";
import type { Context } from "../calls/context.ts";
import { caseFileLinks } from "../domain/case-management/files/linked-files.ts";
import type { HostFiles } from "../host-files/host-files.ts";
import { createApp, type App, type AppOptions } from "../http/app.ts";
import { inProcess, type InProcess } from "../http/in-process.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import { Worker } from "../jobs/worker.ts";
import { LocalLimits, type Limits } from "../limits/limits.ts";
import { createLogger } from "../foundation/logger.ts";
import type { Mailer } from "../mail/mailer.ts";
import { operationAuthorizations, operationHandlers } from "../operations/index.ts";
import { offline, type Outgoing } from "../outgoing/outgoing.ts";
import type { Store } from "../store/index.ts";

/**
 * What a platform consists of. By default it reaches nothing outside: no network, no files, no mail. A host adds
 * what it has.
 */
export interface PlatformParts extends Pick<
  AppOptions,
  "observe" | "connections" | "addPages" | "control" | "meters" | "tracer"
> {
  /** Contains every kind of record of `resources`. The platform does not close it. */
  readonly store: Store;
  /** Default: `defaultConfig`. */
  readonly config?: Partial<PlatformConfig>;
  /** The clock of the records. Default: the system's. */
  readonly clock?: Clock;
  /** Default: no logs. */
  readonly logger?: Logger;
  /** Default: in memory. */
  readonly blobs?: BlobStore;
  /** Default: counters of this process. Processes that share a port share their counters (`SharedLimits`). */
  readonly limits?: Limits | undefined;
  /** Sends mails. Default: mails stay in the outbox. */
  readonly mailer?: Mailer | null;
  /** Requests to URLs that tenants choose. Default: none are sent, so deliveries and registries wait. */
  readonly outgoing?: Outgoing | null;
  /** The source of files from hosts. Default: none, so files stay requested. */
  readonly hostFiles?: HostFiles | null;
  /** Adds traces to a kind of job. Default: none have any. */
  readonly traceJob?: ((kind: JobKind) => JobKind) | undefined;
  /** Background work that only this host can do. */
  readonly jobs?: (context: Context) => readonly JobKind[];
}

export interface Platform extends InProcess {
  readonly context: Context;
  /** The application, for hosts that listen. They pass in `connections`. */
  readonly app: App;
  /** Runs background jobs, between `start` and `stop` or when it is called. */
  readonly worker: Worker;
  /** Starts the background work. */
  start(): void;
  /**
   * Asks load balancers and clients to use other servers: `/readyz` responds with 503, and responses close their connections.
   * Requests are still handled.
   */
  drain(): void;
  /** Finishes the current requests and the background work. The store stays open. */
  stop(): Promise<void>;
}

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

/** Creates a platform over an open store. It handles requests at once, without a network. */
export async function createPlatform(parts: PlatformParts): Promise<Platform> {
  const { store, clock = systemClock, logger = createLogger("silent") } = parts;
  const { blobs = new MemoryBlobs(systemClock), outgoing = null, hostFiles = null } = parts;
  const config = { ...defaultConfig, ...parts.config };
  const { limits = new LocalLimits(config.limits) } = parts;
  const { storageBytes, tenantStorageBytes } = config.limits;
  const storage =
    storageBytes + tenantStorageBytes > 0
      ? // Loaded only if it is needed, because pages download the server.
        new (await import("../storage/storage.ts")).Storage({
          store,
          blobs,
          clock,
          limits: config.limits,
        })
      : null;
  const signed = await prepareStore(store, clock);
  const context: Context = {
    store,
    clock,
    config,
    logger,
    limits,
    storage,
    blobs,
    outgoing: outgoing ?? offline,
    hostFiles,
    ...signed,
  };
  const kinds = backgroundWork({
    store,
    blobs,
    clock,
    mailer: parts.mailer ?? null,
    outgoing,
    fileClock: systemClock,
    notifications: config.outgoing,
    hostFiles,
    storage,
    fileBytes: config.limits.uploadBytes,
  });
  const more = parts.jobs?.(context) ?? [];
  const all = [...kinds, ...more];
  const { meters, traceJob } = parts;
  const worker = new Worker({
    store,
    clock,
    logger,
    meters,
    kinds: traceJob === undefined ? all : all.map(traceJob),
  });
  const stopping = new AbortController();
  const app = await createApp(context, operationHandlers, {
    observe: parts.observe,
    authorizations: operationAuthorizations,
    links: caseFileLinks,
    connections: parts.connections,
    addPages: parts.addPages,
    control: parts.control,
    meters,
    tracer: parts.tracer,
    stopping,
  });
  await app.ready();
  return {
    context,
    app,
    worker,
    ...inProcess(app, config),
    start: () => {
      // Counts the files before the first request needs it.
      void storage?.state();
      worker.start();
    },
    drain: () => stopping.abort(),
    stop: async () => {
      const stopped = worker.stop();
      await app.close();
      await stopped;
    },
  };
}
