import type { Logger } from "pino";
import { createClient } from "../access/clients.ts";
import { everyScope } from "../access/roles.ts";
import type { DiskBlobs } from "../blobs/blob-store.ts";
import { createTenant } from "../catalogue/index.ts";
import { systemClock, type Clock } from "../foundation/clock.ts";
import {
  defaultConfig,
  defaultLimits,
  type ServerConfig,
  type ServerLimits,
} from "../foundation/config.ts";
import type { Observer } from "../http/routes/route-parts.ts";
import { newIdentifier } from "../foundation/identifiers.ts";
import { createLogger } from "../foundation/logger.ts";
import type { Keyring } from "../secrets/keyring.ts";
import { StoreError, type Store, type Tenant } from "../store/index.ts";
import { isPostgres, openStoreAt } from "./open-store-at.ts";
import { startServer } from "./start-server.ts";

/** Everything is optional. `secplat serve --help` explains the settings and their limits. */
export interface ServeOptions extends Partial<Omit<ServerConfig, "databaseUrl" | "limits">> {
  /** `sqlite:<path>` or `postgres://…`. Default: `sqlite::memory:`, so nothing is left after the stop. */
  readonly database?: string;
  /** Default: as for `openStoreAt`. PostgreSQL has no default. */
  readonly keys?: Keyring;
  readonly limits?: Partial<ServerLimits>;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: warnings and errors as lines of JSON on standard error. */
  readonly logger?: Logger;
  /** The object store for files. Default: a folder beside the SQLite database, or a temporary one. */
  readonly blobs?: DiskBlobs;
  /** Called with every request and its response. */
  readonly observe?: Observer;
}

export interface NewCredentials {
  /** Default: `embedded`. */
  readonly name?: string;
  /** Default: all scopes. */
  readonly scopes?: readonly string[];
  /** The cid of a tenant. Default: the first tenant, which is created in an empty database. */
  readonly tenant?: string;
}

/** Credentials of a client. The secret is not stored and cannot be read again. */
export interface ServiceCredentials {
  /** The tenant. */
  readonly cid: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ServedPlatform extends AsyncDisposable {
  /** `http://host:port`, or `https:`, without a trailing slash. */
  readonly url: string;
  /** The records, for `importRecords`. */
  readonly store: Store;
  /** Handles a request without a connection, as over one. */
  fetch(request: Request): Promise<Response>;
  /** Creates an API client, whose credentials get tokens. Throws if there is no such tenant. */
  newCredentials(options?: NewCredentials): Promise<ServiceCredentials>;
  /** Finishes the current requests and the background work, and closes the store. */
  close(): Promise<void>;
}

/**
 * Starts a server for a program or a test: on a free port of 127.0.0.1, in memory, without documentation, and with
 * background work. Throws `StoreError` if the database cannot be opened, and an error if it cannot listen.
 */
export async function serve(options: ServeOptions = {}): Promise<ServedPlatform> {
  const { database = "sqlite::memory:", keys, limits, clock = systemClock, ...rest } = options;
  const { logger = createLogger("warn"), blobs, observe, ...config } = rest;
  if (keys === undefined && isPostgres(database)) {
    throw new StoreError(
      "the keys that encrypt secrets in the database are missing; pass keys, such as " +
        'new KeyFile("secrets.key", { create: true }), and give the same file to all servers of the database',
    );
  }
  const open = { url: database, clock, logger, ...(keys === undefined ? {} : { keys }) };
  const store = await openStoreAt(open);
  try {
    const server = await startServer({
      store,
      clock,
      logger,
      config: {
        ...defaultConfig,
        host: "127.0.0.1",
        port: 0,
        docsFolder: null,
        backgroundWork: true,
        mail: null,
        ...config,
        databaseUrl: database,
        limits: { ...defaultLimits, ...limits },
      },
      ...(blobs === undefined ? {} : { blobs }),
      ...(observe === undefined ? {} : { observe }),
    });
    const close = async (): Promise<void> => {
      await server.close();
      await store.close();
    };
    return {
      url: server.url,
      store,
      fetch: server.fetch,
      newCredentials: (wanted) => newCredentials(store, clock, wanted),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function newCredentials(
  store: Store,
  clock: Clock,
  { name = "embedded", scopes = everyScope, tenant }: NewCredentials = {},
): Promise<ServiceCredentials> {
  const { cid } = await tenantOf(store, clock, tenant);
  const created = await createClient(store.directory, clock, { cid, name, scopes });
  return { cid, clientId: created.client_id, clientSecret: created.client_secret };
}

async function tenantOf(store: Store, clock: Clock, cid: string | undefined): Promise<Tenant> {
  const tenants = await store.directory.tenants();
  const existing = cid === undefined ? tenants[0] : tenants.find((each) => each.cid === cid);
  if (existing !== undefined) return existing;
  if (cid !== undefined) {
    const cids = tenants.map((each) => each.cid).join(", ") || "none";
    throw new Error(`tenant: there is no tenant with the cid "${cid}"; expected one of: ${cids}`);
  }
  const created_at = clock.now().toISOString();
  const tenant = { cid: newIdentifier(), name: "embedded", parent_cid: null, created_at };
  await createTenant(store, clock, tenant);
  return tenant;
}
