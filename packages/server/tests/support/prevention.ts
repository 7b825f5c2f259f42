import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import { GroupRules } from "../../src/inventory/group-rules.ts";
import { hostGroup, hostGroups, type HostGroup } from "../../src/inventory/host-groups.ts";
import { hosts, type Host } from "../../src/inventory/hosts.ts";
import { ruleGroups, type RuleGroup } from "../../src/inventory/rule-groups.ts";
import type { Answer, Request } from "./api.ts";
import type { Store, Tenant } from "../../src/store/types/types.ts";
import type { ManualClock } from "./manual-clock.ts";
import { sessionSuite, type BaseSession } from "./session.ts";
import type { Database } from "./shared-api.ts";

type Schemas = components["schemas"];
export type Policy = Schemas["PreventionPolicy"];
export type PolicyInput = Schemas["PreventionPolicyInput"];
export type SettingId = Schemas["PreventionSettingId"];
export type SettingInput = Schemas["PreventionSettingInput"];
export type Platform = Schemas["PreventionPlatform"];

export const paths = {
  policies: "/policy/entities/prevention/v1",
  actions: "/policy/entities/prevention-actions/v1",
  precedence: "/policy/entities/prevention-precedence/v1",
  query: "/policy/queries/prevention/v1",
  combined: "/policy/combined/prevention/v1",
  memberIds: "/policy/queries/prevention-members/v1",
  members: "/policy/combined/prevention-members/v1",
} as const;

type Query = NonNullable<Request["query"]>;

/** Operations of a tenant's client. */
export interface Session extends BaseSession {
  create<Body = readonly Policy[]>(...inputs: readonly object[]): Promise<Answer<Body>>;
  /** Creates policies and expects success. */
  stored(...inputs: readonly PolicyInput[]): Promise<readonly Policy[]>;
  /** Creates one policy and expects success. */
  one(input: PolicyInput): Promise<Policy>;
  update<Body = readonly Policy[]>(...changes: readonly object[]): Promise<Answer<Body>>;
  act<Body = readonly Policy[]>(
    action: string,
    ids: readonly string[],
    more?: object,
  ): Promise<Answer<Body>>;
  reorder<Body = readonly string[]>(
    platform: string,
    ids: readonly string[],
  ): Promise<Answer<Body>>;
  remove<Body = readonly string[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  get<Body = readonly Policy[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  /** Ids of policies, in the order of the response. */
  ids(query?: Query): Promise<readonly string[]>;
  /** Names of the policies of a platform in their order, the default one at the end. */
  order(platform?: Platform): Promise<readonly string[]>;
  /** Host names of a policy's members. */
  members(
    id?: string,
    query?: Readonly<Record<string, string | number>>,
  ): Promise<readonly string[]>;
  /** The platform's default policy. */
  defaultOf(platform: Platform): Promise<Policy>;
  /** Hosts by name, each in some groups. */
  addHosts(...hosts: readonly (Partial<Host> & { readonly hostname: string })[]): Promise<void>;
  /** A group of the hosts with these names. */
  addGroup(name: string, hostnames?: readonly string[]): Promise<HostGroup>;
  addRuleGroup(name: string, platform?: string): Promise<RuleGroup>;
}

export const preventionSuite = (database: Database) =>
  sessionSuite(database, openSession, { catalogue: true });

function openSession(base: BaseSession): Session {
  const { tenant, clock, store, request } = base;
  const create: Session["create"] = (...resources) =>
    request("POST", paths.policies, { body: { resources } });
  const stored: Session["stored"] = async (...inputs) => {
    const answer = await create(...inputs);
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };
  const listed = async <Body>(path: string, query: Query = {}): Promise<Body> => {
    const answer = await request<Body>("GET", path, { query });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const inOrder = (platform: Platform, more = "") =>
    listed<readonly Policy[]>(paths.combined, {
      filter: `platform_name:'${platform}'${more}`,
      sort: "precedence",
    });
  return {
    ...base,
    create,
    stored,
    one: async (input) => theOnly(await stored(input)),
    update: (...resources) => request("PATCH", paths.policies, { body: { resources } }),
    act: (action_name, ids, more = {}) =>
      request("POST", paths.actions, { query: { action_name }, body: { ids, ...more } }),
    reorder: (platform_name, ids) =>
      request("POST", paths.precedence, { body: { platform_name, ids } }),
    remove: (...ids) => request("DELETE", paths.policies, { query: { ids } }),
    get: (...ids) => request("GET", paths.policies, { query: { ids } }),
    ids: (query) => listed(paths.query, query),
    order: async (platform = "Windows") => (await inOrder(platform)).map((policy) => policy.name),
    members: async (id, query = {}) => {
      const members = await listed<readonly Host[]>(paths.members, {
        ...(id === undefined ? {} : { id }),
        ...query,
      });
      return members.map(({ hostname = "" }) => hostname);
    },
    defaultOf: async (platform) => theOnly(await inOrder(platform, "+name:'platform_default'")),
    addHosts: (...added) => addHosts(store, tenant, clock, added),
    addGroup: (group, hostnames = []) => addGroup(store, tenant, clock, group, hostnames),
    addRuleGroup: (group, platform = "windows") =>
      addRuleGroup(store, tenant, clock, group, platform),
  };
}

/** A name in hexadecimal digits. */
export const idOf = (name: string): string =>
  Buffer.from(name).toString("hex").padEnd(32, "0").slice(0, 32);

async function addHosts(
  store: Store,
  { cid }: Tenant,
  clock: ManualClock,
  added: readonly (Partial<Host> & { readonly hostname: string })[],
): Promise<void> {
  // Groups are added after the hosts.
  const noGroups = await GroupRules.of([]);
  const records = await noGroups.apply(
    added.map(({ hostname, ...rest }) => ({
      cid,
      device_id: idOf(hostname),
      hostname,
      platform_name: "Windows",
      ...rest,
    })),
  );
  await store.write(cid, (transaction) => transaction.records(hosts).put(records, clock.now()));
}

async function addGroup(
  store: Store,
  { cid }: Tenant,
  clock: ManualClock,
  name: string,
  hostnames: readonly string[],
): Promise<HostGroup> {
  const now = clock.now();
  const written = { by: "cli", at: now.toISOString() };
  const group = hostGroup({
    id: idOf(`g ${name}`),
    name,
    description: "",
    group_type: "static",
    hostnames,
    created_by: written.by,
    created_timestamp: written.at,
    modified_by: written.by,
    modified_timestamp: written.at,
  });
  await store.write(cid, async (transaction) => {
    await transaction.records(hostGroups).insert([group], now);
  });
  return group;
}

async function addRuleGroup(
  store: Store,
  { cid }: Tenant,
  clock: ManualClock,
  name: string,
  platform: string,
): Promise<RuleGroup> {
  const now = clock.now();
  const at = now.toISOString();
  const group: RuleGroup = {
    id: idOf(`r ${name}`),
    customer_id: cid,
    name,
    description: "",
    platform,
    enabled: true,
    deleted: false,
    rule_ids: ["1"],
    version: 1,
    comment: "",
    committed_timestamp: at,
    created_by: "cli",
    created_timestamp: at,
    modified_by: "cli",
    modified_timestamp: at,
  };
  await store.write(cid, (transaction) => transaction.records(ruleGroups).insert([group], now));
  return group;
}

export function theOnly<Item>(items: readonly Item[]): Item {
  const [first] = items;
  if (first === undefined || items.length > 1) throw new Error(`expected one, got ${items.length}`);
  return first;
}

/** A policy to create, with the members that matter to the test. */
export const policy = (name: string, more: Partial<PolicyInput> = {}): PolicyInput => ({
  name,
  platform_name: "Windows",
  ...more,
});

export const toggle = (id: SettingId, enabled = true): SettingInput => ({ id, value: { enabled } });

/** The value of a setting in a policy. */
export const valueOf = ({ prevention_settings }: Policy, id: SettingId): unknown =>
  prevention_settings.flatMap(({ settings }) => settings).find((setting) => setting.id === id)
    ?.value;

/** A well-formed id that does not exist. */
export const nobody = "f".repeat(32);
