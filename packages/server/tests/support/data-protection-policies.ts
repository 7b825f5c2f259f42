import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import { importRecords } from "../../src/imports/index.ts";
import type { Tenant } from "../../src/store/types/types.ts";
import type { Answer, Request } from "./api.ts";
import { dataProtectionSuite, inputs, type Session } from "./data-protection.ts";
import type { Database } from "./shared-api.ts";

type Schemas = components["schemas"];
export type Platform = Schemas["DataProtectionPlatform"];
export type Policy = Schemas["DataProtectionPolicy"];
export type PolicyInput = Schemas["DataProtectionPolicyInput"];
export type GivenProperties = Schemas["DataProtectionPolicyPropertiesInput"];
export type Classification = Schemas["Classification"];
export type ClassificationInput = Schemas["ClassificationInput"];

export const entityPaths = {
  classifications: "/entities/classifications/v2",
  policies: "/entities/policies/v2",
  precedence: "/entities/data-protection-precedence/v1",
} as const;

type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** Operations of a tenant's client on classifications and policies. */
export interface PolicySession extends Session {
  classify<Body = readonly Classification[]>(
    ...resources: readonly object[]
  ): Promise<Answer<Body>>;
  /** Creates a classification and expects success. */
  classified(input: ClassificationInput): Promise<Classification>;
  reclassify<Body = readonly Classification[]>(
    ...resources: readonly object[]
  ): Promise<Answer<Body>>;
  declassify<Body = readonly Classification[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  getClassifications<Body = readonly Classification[]>(
    ...ids: readonly string[]
  ): Promise<Answer<Body>>;
  classificationIds(query?: Query): Promise<readonly string[]>;
  createPolicies<Body = readonly Policy[]>(
    platform: string,
    ...resources: readonly object[]
  ): Promise<Answer<Body>>;
  /** Creates a policy and expects success. */
  policy(name: string, more?: Partial<PolicyInput>, platform?: Platform): Promise<Policy>;
  update<Body = readonly Policy[]>(
    platform: string,
    ...resources: readonly object[]
  ): Promise<Answer<Body>>;
  /** Changes a policy and expects success. */
  updated(policy: Policy, change: object): Promise<Policy>;
  removePolicies<Body = readonly Policy[]>(
    platform: string,
    ...ids: readonly string[]
  ): Promise<Answer<Body>>;
  getPolicies<Body = readonly Policy[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  policyIds(platform: Platform, query?: Query): Promise<readonly string[]>;
  reorder<Body = readonly Policy[]>(...resources: readonly object[]): Promise<Answer<Body>>;
  /** Names of the policies of a platform in their order, which must have no gaps. */
  order(platform?: Platform): Promise<readonly string[]>;
  defaultOf(platform: Platform): Promise<Policy>;
  /** The id of a new host group. */
  hostGroup(name: string): Promise<string>;
}

/**
 * One server for a suite; every test opens a session, which is a tenant that no other test sees.
 */
export function policySuite(database: Database): {
  open(parent?: Tenant): Promise<PolicySession>;
} {
  const suite = dataProtectionSuite(database);
  return { open: async (parent) => withPolicies(await suite.open(parent)) };
}

export function withPolicies(session: Session): PolicySession {
  const { request } = session;
  const { classifications, policies, precedence } = entityPaths;
  const listed = async (path: string, query: Request["query"] = {}) => {
    const answer = await request<readonly string[]>("GET", path, { query });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const send =
    (method: string, path: string) =>
    <Body>(...resources: readonly object[]) =>
      request<Body>(method, path, { body: { resources } });
  const sendPolicies =
    (method: string) =>
    <Body>(platform_name: string, ...resources: readonly object[]) =>
      request<Body>(method, policies, { query: { platform_name }, body: { resources } });
  const byIds =
    (method: string, path: string) =>
    <Body>(...ids: readonly string[]) =>
      request<Body>(method, path, { query: { ids } });
  const getPolicies: PolicySession["getPolicies"] = byIds("GET", policies);
  const policyIds: PolicySession["policyIds"] = (platform_name, query = {}) =>
    listed("/queries/policies/v2", { platform_name, ...query });
  const update: PolicySession["update"] = sendPolicies("PATCH");
  const classify: PolicySession["classify"] = send("POST", classifications);
  const createPolicies: PolicySession["createPolicies"] = sendPolicies("POST");
  const inOrder = async (platform: Platform) => {
    const ids = await policyIds(platform, { sort: "precedence.asc" });
    const answer = await getPolicies(...ids);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return {
    ...session,
    classify,
    classified: async (input) => theOnly(await classify(input), 201),
    reclassify: send("PATCH", classifications),
    declassify: byIds("DELETE", classifications),
    getClassifications: byIds("GET", classifications),
    classificationIds: (query) => listed("/queries/classifications/v2", query),
    createPolicies,
    policy: async (name, more = {}, platform = "win") =>
      theOnly(await createPolicies(platform, { name, description: "", ...more }), 201),
    update,
    updated: async ({ id, platform_name }, change) =>
      theOnly(await update(platform_name, { id, ...change }), 200),
    removePolicies: (platform_name, ...ids) =>
      request("DELETE", policies, { query: { ids, platform_name } }),
    getPolicies,
    policyIds,
    reorder: send("POST", precedence),
    order: async (platform = "win") => {
      const ordered = await inOrder(platform);
      expect(ordered.map((policy) => policy.precedence)).toEqual([...ordered.keys()]);
      return ordered.map(({ name }) => name);
    },
    defaultOf: async (platform) => {
      const [id] = await policyIds(platform, { filter: "is_default:true" });
      return theOnly(await getPolicies(id ?? ""), 200);
    },
    hostGroup: async (name) => {
      const { store, clock, tenant } = session;
      const id = Buffer.from(name).toString("hex").padEnd(32, "0").slice(0, 32);
      const line = JSON.stringify({ id, name, group_type: "static", hostnames: [] });
      const lines = [line];
      const options = { cid: tenant.cid, kind: "host-groups", lines, clock } as const;
      expect(await importRecords(store, options)).toMatchObject({ imported: 1, rejected: 0 });
      return id;
    },
  };
}

function theOnly<Item>(answer: Answer<readonly Item[]>, status: number): Item {
  expect(answer.status, answer.text).toBe(status);
  const [first] = answer.body;
  if (first === undefined || answer.body.length > 1) throw new Error(answer.text);
  return first;
}

/** One existing record of each kind to which a classification can refer, by member. */
export async function surroundings(api: Session) {
  const pattern = await api.stored("content-patterns", inputs["content-patterns"]("Numbers"));
  const label = await api.stored("labels", inputs.labels("Secret"));
  const source = await api.stored("web-locations", inputs["web-locations"]("Source"));
  const target = await api.stored("web-locations", inputs["web-locations"]("Target"));
  const group = await api.stored("local-application-groups", { name: "Editors" });
  const type = await api.known("file-types", "PDF");
  return { pattern, label, source, target, group, type };
}
