import { afterAll, beforeAll } from "vitest";
import type { Tenant } from "../../src/store/types.ts";
import { startTestApi, type TestApi, type TestApiOptions } from "./api.ts";

export interface SharedApi {
  /** The server as a client of the first tenant. */
  api(): TestApi;
  /** Of the running server. */
  databaseUrl(): string;
  /** The server as a client of a new tenant, which no other test sees. */
  open(name?: string, parent?: Tenant): Promise<TestApi>;
}

/** One server for all tests of a suite; starting one for each test takes most of its time. */
export function sharedApi(
  databaseUrl: () => Promise<string>,
  options: Omit<TestApiOptions, "databaseUrl"> = {},
): SharedApi {
  let started: TestApi | undefined;
  let url = "";
  const cleanUps: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    url = await databaseUrl();
    started = await startTestApi({ ...options, databaseUrl: url }, (cleanUp) =>
      cleanUps.push(cleanUp),
    );
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  const api = (): TestApi => {
    if (started === undefined) throw new Error("use the server inside a test");
    return started;
  };
  return {
    api,
    databaseUrl: () => url,
    open: async (name = "tenant", parent) => {
      const shared = api();
      const own = await shared.newTenant(name, parent);
      return {
        ...shared,
        ...own,
        request: (method, path, request = {}) =>
          shared.request(method, path, { token: own.token, ...request }),
      };
    },
  };
}
