import type { Store, Tenant } from "../../src/store/types/types.ts";
import type { Answer, Request, TestApi, TestApiOptions } from "./api.ts";
import type { ManualClock } from "./manual-clock.ts";
import { sharedApi, type Database } from "./shared-api.ts";

export interface ErrorBody {
  readonly errors: readonly {
    readonly code: number;
    readonly message: string;
    readonly id?: string;
  }[];
  readonly resources?: readonly unknown[];
}

/** A separate tenant and a client with all scopes. */
export interface BaseSession {
  readonly tenant: Tenant;
  readonly clientId: string;
  readonly clock: ManualClock;
  readonly store: Store;
  /** The token of the client, renewed when the clock has advanced. */
  freshToken(): Promise<string>;
  /** Requests as the client. */
  request<Body>(method: string, path: string, request?: Request): Promise<Answer<Body>>;
}

/** Tokens are valid for half an hour; tests advance the clock further. */
const tokenMilliseconds = 20 * 60_000;

export async function openBaseSession(
  api: TestApi,
  name: string,
  parent?: Tenant,
): Promise<BaseSession> {
  const { clock, store } = api;
  const { tenant, client, ...first } = await api.newTenant(name, parent);
  let token = first.token;
  let issued = clock.now().getTime();
  const current = async (): Promise<string> => {
    const now = clock.now().getTime();
    if (now - issued > tokenMilliseconds) {
      token = await api.newToken(client);
      issued = now;
    }
    return token;
  };
  return {
    tenant,
    clientId: client.client_id,
    clock,
    store,
    freshToken: current,
    request: async (method, path, options = {}) =>
      api.request(method, path, { token: await current(), ...options }),
  };
}

/** Number of sessions of all suites, which may share a server. */
let opened = 0;

/**
 * One server for a suite; every test opens sessions, each a tenant that no other test sees.
 * No other session has the `number`.
 */
export function sessionSuite<Session>(
  database: Database,
  openSession: (base: BaseSession, number: number) => Session,
  options: Omit<TestApiOptions, "databaseUrl"> = {},
): {
  open(parent?: Tenant): Promise<Session>;
  api(): TestApi;
  /** Of the running server. */
  databaseUrl(): string;
} {
  const { api, databaseUrl: url } = sharedApi(database, options);
  return {
    api,
    databaseUrl: url,
    open: async (parent) => {
      opened += 1;
      const number = opened;
      return openSession(await openBaseSession(api(), `tenant ${number}`, parent), number);
    },
  };
}

export const messages = (answer: Answer<ErrorBody>): readonly string[] =>
  answer.body.errors.map(({ message }) => message);

/** A clock reading, so many milliseconds from now. */
export const ahead = ({ clock }: Pick<BaseSession, "clock">, milliseconds: number): string =>
  new Date(clock.now().getTime() + milliseconds).toISOString();
