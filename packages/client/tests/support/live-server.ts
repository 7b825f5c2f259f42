import { Readable } from "node:stream";
import { conformanceRecorder, createConformance } from "@security-platform/contract-tests";
import { operations } from "@security-platform/spec";
import {
  createClient as createApiClient,
  createLogger,
  createTenant,
  defaultLimits,
  defaultOutgoing,
  FixedKeys,
  importRecords,
  newIdentifier,
  openStoreAt,
  resources,
  startServer,
  type ImportFiles,
  type ImportKind,
  type ServerConfig,
  type ServerLimits,
  type Tenant,
} from "@security-platform/server/internal";
import { expect, onTestFinished } from "vitest";
import { createClient, type Client, type ClientOptions } from "../../src/index.ts";
import { TestClock } from "./test-clock.ts";

export const deviceId = "d".repeat(32);

export interface LiveServer {
  readonly url: string;
  /** The server's own clock; clients use another one unless this one is passed in. */
  readonly clock: TestClock;
  readonly tenant: Tenant;
  /** Credentials of a new API client of a tenant. */
  newCredentials(options?: {
    readonly tenant?: Tenant;
    readonly scopes?: readonly string[];
  }): Promise<{
    readonly baseUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
  }>;
  newTenant(parent?: Tenant): Promise<Tenant>;
  /** A tenant without the catalogue's policies and local applications, which take most of the time. */
  newBareTenant(): Promise<Tenant>;
  /** Imports files to download, by name. The content of a file is its name. */
  importFiles(tenant: Tenant, names: readonly string[]): Promise<void>;
  /** Imports records that no operation creates. */
  importRecords(tenant: Tenant, kind: ImportKind, records: readonly object[]): Promise<void>;
  /** A client of the first tenant with all scopes. */
  connect(options?: Partial<ClientOptions>): Promise<Client>;
}

const allScopes = [...new Set(operations().flatMap(({ scope }) => scope ?? []))];

/**
 * A server on SQLite that is closed after the test. Every response must conform to the document.
 */
export async function startLiveServer(
  config: Partial<ServerConfig> = {},
  limits: Partial<ServerLimits> = {},
  finish: (cleanUp: () => Promise<void>) => void = onTestFinished,
): Promise<LiveServer> {
  const clock = new TestClock();
  const databaseUrl = "sqlite::memory:";
  const store = await openStoreAt({ url: databaseUrl, clock, resources, keys: new FixedKeys() });
  const recorder = conformanceRecorder(
    createConformance(undefined, { compat: config.compat === true }),
  );
  const server = await startServer({
    store,
    clock,
    logger: createLogger("silent"),
    observe: recorder.observe,
    config: {
      host: "127.0.0.1",
      port: 0,
      databaseUrl,
      compat: false,
      docsFolder: null,
      development: false,
      backgroundWork: false,
      mail: null,
      // Low, because tests create many users.
      passwordCost: 1_024,
      outgoing: defaultOutgoing,
      ...config,
      // The clock does not advance here, so the rate limit would never be restored.
      limits: {
        ...defaultLimits,
        tokenRequestsPerMinute: 100_000,
        failedAuthenticationsPerMinute: 0,
        overloadMilliseconds: 0,
        ...limits,
      },
    },
  });
  finish(async () => {
    await server.close();
    await store.close();
    if (recorder.observed() > 0) recorder.assertClean();
  });

  const importAll: LiveServer["importRecords"] = async ({ cid }, kind, records) => {
    const lines = records.map((record) => JSON.stringify(record));
    const { problems } = await importRecords(store, { cid, kind, clock, lines });
    expect(problems).toEqual([]);
  };
  const importFiles: LiveServer["importFiles"] = async ({ cid }, names) => {
    const { blobs } = server.context;
    const files: ImportFiles = {
      take: (name) => blobs.put(Readable.from([Buffer.from(name)])),
      has: async () => false,
    };
    const lines = names.map((file) =>
      JSON.stringify({ file, file_version: "1.4.0", category: "fcs", os: "linux", arch: "amd64" }),
    );
    const { problems } = await importRecords(store, {
      cid,
      kind: "downloads",
      clock,
      lines,
      files,
    });
    expect(problems).toEqual([]);
  };
  const describeTenant = (parent?: Tenant): Tenant => ({
    cid: newIdentifier(),
    name: "test",
    parent_cid: parent?.cid ?? null,
    created_at: clock.now().toISOString(),
  });
  const newTenant: LiveServer["newTenant"] = async (parent) => {
    const created = describeTenant(parent);
    await createTenant(store, clock, created);
    return created;
  };
  const newBareTenant: LiveServer["newBareTenant"] = async () => {
    const created = describeTenant();
    await store.directory.createTenant(created);
    return created;
  };
  const tenant = await newTenant();
  const newCredentials: LiveServer["newCredentials"] = async (options = {}) => {
    const { cid } = options.tenant ?? tenant;
    const scopes = options.scopes ?? allScopes;
    const credentials = await createApiClient(store.directory, clock, {
      cid,
      name: "test",
      scopes,
    });
    return {
      baseUrl: server.url,
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
    };
  };
  return {
    url: server.url,
    clock,
    tenant,
    newCredentials,
    newTenant,
    newBareTenant,
    importFiles,
    importRecords: importAll,
    connect: async (options = {}) =>
      createClient({ ...(await newCredentials()), clock: new TestClock(), ...options }),
  };
}
