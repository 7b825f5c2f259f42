import { conformanceRecorder, createConformance } from "@security-platform/contract-tests";
import { operations } from "@security-platform/spec";
import { expect, onTestFinished } from "vitest";
import { createClient, type NewClient } from "../../src/access/clients.ts";
import { grantToken } from "../../src/access/tokens.ts";
import type { DiskBlobs } from "../../src/blobs/blob-store.ts";
import { createTenant } from "../../src/catalogue/index.ts";
import {
  defaultLimits,
  defaultOutgoing,
  type ServerConfig,
  type ServerLimits,
} from "../../src/foundation/config.ts";
import type { HostFiles } from "../../src/host-files/host-files.ts";
import { createLogger } from "../../src/foundation/logger.ts";
import { resources } from "../../src/platform/resources.ts";
import type { Resolve } from "../../src/outgoing/resolve.ts";
import type { Keyring } from "../../src/secrets/keyring.ts";
import type { Observer } from "../../src/http/routes/route-parts.ts";
import { startServer } from "../../src/host/start-server.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import type { DatabaseLimits } from "../../src/store/open-database.ts";
import type { Store, Tenant } from "../../src/store/types/types.ts";
import { createBareTenant, describeTenant } from "./bare-tenant.ts";
import { testKeys } from "./secret-keys.ts";
import { sendRequest } from "./send-request.ts";
import { ManualClock } from "./manual-clock.ts";

export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export interface Request {
  readonly query?: string | Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bearer token; null sends none. Default: a token of the first tenant with every scope. */
  readonly token?: string | null;
}

/** A separate server with a new database and a clock that tests control. */
export interface TestApi {
  readonly url: string;
  readonly store: Store;
  readonly clock: ManualClock;
  /** Runs the due background work, which does not run by itself. */
  work(): Promise<unknown>;
  /** The metrics of the server as text; empty if it has none. */
  metrics(): Promise<string>;
  /** The server's files. */
  readonly blobs: DiskBlobs;
  readonly tenant: Tenant;
  readonly client: NewClient;
  readonly token: string;
  request<Body = unknown>(method: string, path: string, request?: Request): Promise<Answer<Body>>;
  newTenant(
    name: string,
    parent?: Tenant,
  ): Promise<{ tenant: Tenant; client: NewClient; token: string }>;
  newToken(client: NewClient, form?: Readonly<Record<string, string>>): Promise<string>;
}

export interface TestApiOptions {
  readonly databaseUrl: string;
  readonly databaseLimits?: DatabaseLimits;
  /** A replica of the database. Default: none. */
  readonly replicaUrl?: string;
  /** Receives what the database warns of. */
  readonly databaseLog?: (message: string, details: object) => void;
  readonly limits?: Partial<ServerLimits>;
  readonly config?: Partial<ServerConfig>;
  readonly clock?: ManualClock;
  /**
   * Whether new tenants have the catalogue's policies and local applications, which take most of
   * the time that a tenant takes. Default: false.
   */
  readonly catalogue?: boolean;
  /** Default: the server's own. */
  readonly blobs?: DiskBlobs;
  /** Default: the first test key. */
  readonly keys?: Keyring;
  /** Whether the test itself currently checks responses against the document. Default: never. */
  readonly checksAnswers?: () => boolean;
  /** Sees every response that is sent by an operation. */
  readonly observe?: Observer;
  /** Receives the lines of the log. Default: none are written. */
  readonly log?: (line: string) => void;
  /** The addresses of host names. Default: no name has one. */
  readonly resolve?: Resolve;
  /** Whether the server measures itself. Default: false. */
  readonly metrics?: boolean;
  /** The source of files on hosts. Default: none. */
  readonly hostFiles?: HostFiles;
}

export const allScopes: readonly string[] = [
  ...new Set(operations().flatMap(({ scope }) => scope ?? [])),
];

/** Starts it for one test and stops it afterwards. Every response must conform to the document. */
export async function startTestApi(
  options: TestApiOptions,
  finish: (cleanUp: () => Promise<void>) => void = onTestFinished,
): Promise<TestApi> {
  const { api, stop, assertConforms } = await runTestApi(options);
  finish(async () => {
    await stop();
    assertConforms();
  });
  return { ...api, ...(await openTenant(api, "first")) };
}

/** A server without a tenant. */
export type ServerApi = Omit<TestApi, keyof TenantApi>;

type TenantApi = Pick<TestApi, "tenant" | "client" | "token" | "request">;

export interface RunningApi {
  readonly api: ServerApi;
  stop(): Promise<void>;
  /** Announces the stop; see `RunningServer.drain`. */
  drain(): void;
  /** Throws if a response departs from the document, or if there was none. */
  assertConforms(): void;
}

/** A new tenant, and requests as its client. */
export async function openTenant(
  { url, newTenant }: Pick<ServerApi, "url" | "newTenant">,
  name: string,
  parent?: Tenant,
): Promise<TenantApi> {
  const own = await newTenant(name, parent);
  return {
    ...own,
    request: (method, path, request = {}) =>
      send(`${url}${path}`, method, { token: own.token, ...request }),
  };
}

export async function runTestApi(options: TestApiOptions): Promise<RunningApi> {
  const clock = options.clock ?? new ManualClock();
  const store = await openStoreAt({
    url: options.databaseUrl,
    ...(options.databaseLimits === undefined ? {} : { databaseLimits: options.databaseLimits }),
    replicaUrl: options.replicaUrl,
    logger: { warn: (details, message) => options.databaseLog?.(message, details) },
    clock,
    resources,
    keys: options.keys ?? testKeys,
    durable: false,
  });
  const recorder = conformanceRecorder(
    createConformance(undefined, { compat: options.config?.compat === true }),
  );
  const server = await startServer({
    store,
    clock,
    logger:
      options.log === undefined
        ? createLogger("silent")
        : createLogger("error", { write: options.log }),
    ...(options.blobs === undefined ? {} : { blobs: options.blobs }),
    ...(options.metrics === true ? { metrics: { version: "1.2.3" } } : {}),
    resolve: options.resolve ?? (async () => []),
    ...(options.hostFiles === undefined ? {} : { hostFiles: options.hostFiles }),
    observe: (exchange) => {
      options.observe?.(exchange);
      if (options.checksAnswers?.() === true) return;
      recorder.observe(exchange);
    },
    config: {
      host: "127.0.0.1",
      port: 0,
      databaseUrl: options.databaseUrl,
      compat: false,
      docsFolder: null,
      development: false,
      backgroundWork: false,
      mail: null,
      outgoing: defaultOutgoing,
      // Tests create hundreds of users.
      passwordCost: 1_024,
      ...options.config,
      limits: {
        ...defaultLimits,
        requestsPerMinute: 0,
        tokenRequestsPerMinute: 0,
        failedAuthenticationsPerMinute: 0,
        overloadMilliseconds: 0,
        ...options.limits,
      },
    },
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const work = () => server.worker.drain();
  const metrics = async () => (await server.metrics?.text()) ?? "";
  const api = { url: server.url, store, clock, work, metrics, blobs: server.blobs };
  const newToken: TestApi["newToken"] = async (client, form = {}) => {
    const { status, text } = await sendRequest(`${server.url}/oauth2/token`, {
      method: "POST",
      headers: {},
      body: new URLSearchParams({
        client_id: client.client_id,
        client_secret: client.client_secret,
        ...form,
      }),
    });
    expect([status, text]).toEqual([201, expect.anything()]);
    return (JSON.parse(text) as { access_token: string }).access_token;
  };
  let isFirst = true;
  /** Only one is requested, because a request takes most of the time. */
  const firstToken = async (client: NewClient): Promise<string> => {
    if (isFirst) {
      isFirst = false;
      return newToken(client);
    }
    const { client_id: clientId, client_secret: secret } = client;
    const { tokenSeconds } = server.context.config.limits;
    return (await grantToken(store, clock, tokenSeconds, { clientId, secret })).access_token;
  };
  const newTenant: TestApi["newTenant"] = async (name, parent) => {
    const tenant = describeTenant(clock, name, parent);
    if (options.catalogue === true) await createTenant(store, clock, tenant);
    else await createBareTenant(store, tenant);
    const client = await createClient(store.directory, clock, {
      cid: tenant.cid,
      name: `${name} client`,
      scopes: allScopes,
    });
    return { tenant, client, token: await firstToken(client) };
  };
  return {
    api: { ...api, newTenant, newToken },
    stop: async () => {
      await server.close();
      await store.close();
    },
    drain: () => server.drain(),
    assertConforms: recorder.assertClean,
  };
}

async function send<Body>(
  url: string,
  method: string,
  { query, body, headers, token }: Request,
): Promise<Answer<Body>> {
  const isForm = body instanceof URLSearchParams || body instanceof FormData;
  const answer = await sendRequest(`${url}${queryText(query)}`, {
    method,
    headers: {
      ...(token === null || token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined || typeof body === "string" || isForm ? body : JSON.stringify(body),
  });
  const { text } = answer;
  return { ...answer, body: (text === "" ? undefined : JSON.parse(text)) as Body };
}

function queryText(query: Request["query"]): string {
  if (query === undefined) return "";
  if (typeof query === "string") return `?${query}`;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value])
      parameters.append(name, String(each));
  }
  return `?${parameters.toString()}`;
}
