import type { components } from "@security-platform/spec";
import { afterAll, beforeAll, expect } from "vitest";
import type { Store, Tenant } from "../../src/store/types.ts";
import { startTestApi, type Answer, type Request, type TestApi } from "./api.ts";
import type { ManualClock } from "./manual-clock.ts";

type Schemas = components["schemas"];
export type Indicator = Schemas["Indicator"];
export type IndicatorInput = Schemas["IndicatorInput"];

export const paths = {
  actions: "/iocs/entities/actions/v1",
  actionIds: "/iocs/queries/actions/v1",
  aggregates: "/iocs/aggregates/indicators/v1",
  combined: "/iocs/combined/indicator/v1",
  deviceCount: "/iocs/aggregates/indicators/device-count/v1",
  devices: "/iocs/queries/indicators/devices/v1",
  indicators: "/iocs/entities/indicators/v1",
  platforms: "/iocs/queries/platforms/v1",
  processes: "/iocs/queries/indicators/processes/v1",
  report: "/iocs/entities/indicators-reports/v1",
  sdmf: "/iocs/sdmf/query/v1",
  search: "/iocs/queries/indicators/v1",
  severities: "/iocs/queries/severities/v1",
  types: "/iocs/queries/ioc-types/v1",
} as const;

export interface ErrorBody {
  readonly errors: readonly {
    readonly code: number;
    readonly message: string;
    readonly id?: string;
  }[];
  readonly resources?: readonly unknown[];
}

/** A tenant of its own, and what its client does. */
export interface Session {
  readonly tenant: Tenant;
  readonly clientId: string;
  readonly clock: ManualClock;
  readonly store: Store;
  request<Body>(method: string, path: string, request?: Request): Promise<Answer<Body>>;
  create<Body = readonly Indicator[]>(
    indicators: readonly object[],
    query?: Record<string, string | boolean>,
    comment?: string,
  ): Promise<Answer<Body>>;
  /** Creates indicators that must be accepted. */
  stored(...indicators: readonly object[]): Promise<readonly Indicator[]>;
  update<Body = readonly Indicator[]>(
    body: object,
    query?: Record<string, string | boolean>,
  ): Promise<Answer<Body>>;
  remove<Body = readonly string[]>(
    query: Record<string, string | boolean | readonly string[]>,
  ): Promise<Answer<Body>>;
  get<Body = readonly Indicator[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  /** Values of the indicators that a filter finds, in the order asked. */
  values(query: Record<string, string | number | boolean>): Promise<readonly string[]>;
}

/** One server for a suite; every test opens a session, which is a tenant that no other test sees. */
export function iocSuite(databaseUrl: () => Promise<string>): {
  open(parent?: Tenant): Promise<Session>;
} {
  let api: TestApi | undefined;
  const cleanUps: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const url = await databaseUrl();
    api = await startTestApi({ databaseUrl: url }, (cleanUp) => cleanUps.push(cleanUp));
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  let opened = 0;
  return {
    open: async (parent) => {
      if (api === undefined) throw new Error("open a session inside a test");
      opened += 1;
      return openSession(api, `tenant ${opened}`, parent);
    },
  };
}

/** Tokens live for half an hour; tests move the clock further. */
const tokenMilliseconds = 20 * 60_000;

async function openSession(api: TestApi, name: string, parent?: Tenant): Promise<Session> {
  const { clock, store } = api;
  const { tenant, client, ...first } = await api.newTenant(name, parent);
  let token = first.token;
  let issued = clock.now().getTime();
  const request: Session["request"] = async (method, path, options = {}) => {
    const now = clock.now().getTime();
    if (now - issued > tokenMilliseconds) {
      token = await api.newToken(client);
      issued = now;
    }
    return api.request(method, path, { token, ...options });
  };
  const create: Session["create"] = (indicators, query = {}, comment) =>
    request("POST", paths.indicators, {
      query,
      body: { indicators, ...(comment === undefined ? {} : { comment }) },
    });
  return {
    tenant,
    clientId: client.client_id,
    clock,
    store,
    request,
    create,
    stored: async (...indicators) => {
      const answer = await create(indicators, { ignore_warnings: true });
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body).toHaveLength(indicators.length);
      return answer.body;
    },
    update: (body, query = {}) => request("PATCH", paths.indicators, { query, body }),
    remove: (query) => request("DELETE", paths.indicators, { query }),
    get: (...ids) => request("GET", paths.indicators, { query: { ids } }),
    values: async (query) => {
      const answer = await request<readonly Indicator[]>("GET", paths.combined, { query });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.map(({ value }) => value);
    },
  };
}

/** A sound domain indicator, with what the test cares about. */
export const domain = (value: string, more: Partial<IndicatorInput> = {}): IndicatorInput => ({
  type: "domain",
  value,
  action: "detect",
  severity: "high",
  platforms: ["windows"],
  applied_globally: true,
  ...more,
});

/** A sound hash indicator of one repeated digit. */
export const hash = (digit: string, more: Partial<IndicatorInput> = {}): IndicatorInput => ({
  ...domain(digit.repeat(64), more),
  type: "sha256",
});

export const messages = (answer: Answer<ErrorBody>): readonly string[] =>
  answer.body.errors.map(({ message }) => message);

/** A clock reading, so many milliseconds from now. */
export const ahead = ({ clock }: Pick<Session, "clock">, milliseconds: number): string =>
  new Date(clock.now().getTime() + milliseconds).toISOString();
