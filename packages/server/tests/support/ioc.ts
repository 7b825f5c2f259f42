import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import { importRecords } from "../../src/imports/index.ts";
import type { Answer } from "./api.ts";
import { sessionSuite, type BaseSession } from "./session.ts";
import type { Database } from "./shared-api.ts";

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

/** Operations of a tenant's client. */
export interface Session extends BaseSession {
  create<Body = readonly Indicator[]>(
    indicators: readonly object[],
    query?: Record<string, string | boolean>,
    comment?: string,
  ): Promise<Answer<Body>>;
  /** Creates indicators and expects success. */
  stored(...indicators: readonly object[]): Promise<readonly Indicator[]>;
  update<Body = readonly Indicator[]>(
    body: object,
    query?: Record<string, string | boolean>,
  ): Promise<Answer<Body>>;
  remove<Body = readonly string[]>(
    query: Record<string, string | boolean | readonly string[]>,
  ): Promise<Answer<Body>>;
  get<Body = readonly Indicator[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  /** Values of the indicators that a filter finds, in the requested order. */
  values(query: Record<string, string | number | boolean>): Promise<readonly string[]>;
}

export const iocSuite = (database: Database) => sessionSuite(database, openSession);

function openSession(base: BaseSession): Session {
  const { request } = base;
  const create: Session["create"] = (indicators, query = {}, comment) =>
    request("POST", paths.indicators, {
      query,
      body: { indicators, ...(comment === undefined ? {} : { comment }) },
    });
  return {
    ...base,
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

/** Gives the tenant a host group. */
export async function haveHostGroup(api: BaseSession, id: string): Promise<string> {
  const outcome = await importRecords(api.store, {
    cid: api.tenant.cid,
    kind: "host-groups",
    lines: [JSON.stringify({ id, name: `group ${id}`, group_type: "static", hostnames: ["h"] })],
    clock: api.clock,
  });
  expect(outcome).toMatchObject({ imported: 1, problems: [] });
  return id;
}

/** A valid domain indicator, with the members that matter to the test. */
export const domain = (value: string, more: Partial<IndicatorInput> = {}): IndicatorInput => ({
  type: "domain",
  value,
  action: "detect",
  severity: "high",
  platforms: ["windows"],
  applied_globally: true,
  ...more,
});

/** A valid hash indicator of one repeated digit. */
export const hash = (digit: string, more: Partial<IndicatorInput> = {}): IndicatorInput => ({
  ...domain(digit.repeat(64), more),
  type: "sha256",
});
