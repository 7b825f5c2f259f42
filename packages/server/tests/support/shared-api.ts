import { afterAll, beforeAll } from "vitest";
import type { Tenant } from "../../src/store/types/types.ts";
import {
  openTenant,
  runTestApi,
  type RunningApi,
  type TestApi,
  type TestApiOptions,
} from "./api.ts";
import type { Engine } from "./engines.ts";
import { ManualClock } from "./manual-clock.ts";

export interface SharedApi {
  /** The server as a client of the first tenant. */
  api(): TestApi;
  /** Of the running server. */
  databaseUrl(): string;
  /** The server as a client of a new tenant, which no other test sees. */
  open(name?: string, parent?: Tenant): Promise<TestApi>;
}

/**
 * The database of a shared server. An engine: the server may come from an earlier test file, whose
 * tenants it still holds. A function: the server and its database are new.
 */
export type Database = Engine | (() => Promise<string>);

interface SharedServer extends RunningApi {
  readonly databaseUrl: string;
  readonly clock: ManualClock;
}

/** Servers that no suite uses at the moment, by engine and options. */
const idle = new Map<string, SharedServer[]>();

/** One server for all tests of a suite; starting one for each test takes most of its time. */
export function sharedApi(
  database: Database,
  options: Omit<TestApiOptions, "databaseUrl"> = {},
): SharedApi {
  const key = sharingKey(database, options);
  let server: SharedServer | undefined;
  let started: TestApi | undefined;
  /** Whether later suites could notice what this one did. */
  let altered = false;
  beforeAll(async () => {
    server = (key === null ? undefined : idle.get(key)?.pop()) ?? (await start(database, options));
    const { api } = server;
    const work: TestApi["work"] = () => {
      altered = true;
      return api.work();
    };
    started = { ...api, work, ...(await openTenant(api, "first")) };
  });
  afterAll(async () => {
    if (server === undefined) return;
    const isOver = key === null || altered;
    if (isOver) await server.stop();
    server.assertConforms();
    if (isOver) return;
    server.clock.reset();
    idle.set(key, [...(idle.get(key) ?? []), server]);
  });
  const api = (): TestApi => {
    if (started === undefined) throw new Error("use the server inside a test");
    return started;
  };
  return {
    api,
    databaseUrl: () => {
      altered = true;
      return server?.databaseUrl ?? "";
    },
    open: async (name = "tenant", parent) => {
      const shared = api();
      return { ...shared, ...(await openTenant(shared, name, parent)) };
    },
  };
}

/** The suites with the same key can use the same server. Null: none can. */
function sharingKey(
  database: Database,
  options: Omit<TestApiOptions, "databaseUrl">,
): string | null {
  const { config, limits, catalogue, ...others } = options;
  if (typeof database === "function" || Object.keys(others).length > 0) return null;
  return JSON.stringify([database.name, config, limits, catalogue]);
}

async function start(
  database: Database,
  options: Omit<TestApiOptions, "databaseUrl">,
): Promise<SharedServer> {
  const { url: databaseUrl, remove } =
    typeof database === "function"
      ? { url: await database(), remove: async () => undefined }
      : await database.keep();
  const clock = options.clock ?? new ManualClock();
  const running = await runTestApi({ ...options, databaseUrl, clock });
  const stop = async (): Promise<void> => {
    await running.stop();
    await remove();
  };
  return { ...running, stop, databaseUrl, clock };
}
