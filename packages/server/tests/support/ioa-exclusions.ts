import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import { hostGroup, hostGroups } from "../../src/inventory/host-groups.ts";
import { hosts } from "../../src/inventory/hosts.ts";
import type { Answer } from "./api.ts";
import { sessionSuite, type BaseSession } from "./session.ts";
import type { Database } from "./shared-api.ts";

type Schemas = components["schemas"];
export type Exclusion = Schemas["SsIoaExclusion"];
export type ExclusionV1 = Schemas["IoaExclusion"];

export const paths = {
  aggregates: "/exclusions/aggregates/ss-ioa-exclusions/GET/v2",
  exclusions: "/exclusions/entities/ss-ioa-exclusions/v2",
  exclusionsV1: "/policy/entities/ioa-exclusions/v1",
  matched: "/exclusions/entities/ss-ioa-matched-rules/v2",
  proposed: "/exclusions/entities/ss-ioa-new-rules/v2",
  report: "/exclusions/entities/ss-ioa-exclusions/reports/v2",
  search: "/exclusions/queries/ss-ioa-exclusions/v2",
  searchV1: "/policy/queries/ioa-exclusions/v1",
} as const;

/** Operations of a tenant's client. */
export interface Session extends BaseSession {
  create<Body = readonly Exclusion[]>(...exclusions: readonly object[]): Promise<Answer<Body>>;
  createV1<Body = readonly ExclusionV1[]>(exclusion: object): Promise<Answer<Body>>;
  /** Creates exclusions and expects success. */
  stored(...exclusions: readonly object[]): Promise<readonly Exclusion[]>;
  update<Body = readonly Exclusion[]>(...changes: readonly object[]): Promise<Answer<Body>>;
  updateV1<Body = readonly ExclusionV1[]>(changes: object): Promise<Answer<Body>>;
  get<Body = readonly Exclusion[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  getV1<Body = readonly ExclusionV1[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  /** Names of the exclusions that match a process, by name. */
  matched(process: object): Promise<readonly string[]>;
  /** Creates a host group with these hosts and returns its id. */
  newGroup(id: string, ...deviceIds: readonly string[]): Promise<string>;
  /** The audit trail, newest first, without the entries of the server itself. */
  trail(): Promise<
    readonly { operation: string; comment: string | null; ids: readonly string[] }[]
  >;
}

export const exclusionSuite = (database: Database) => sessionSuite(database, openSession);

function openSession(base: BaseSession): Session {
  const { tenant, clock, store, request } = base;
  const { cid } = tenant;
  const create: Session["create"] = (...exclusions) =>
    request("POST", paths.exclusions, { body: { exclusions } });
  return {
    ...base,
    create,
    createV1: (exclusion) => request("POST", paths.exclusionsV1, { body: exclusion }),
    stored: async (...exclusions) => {
      const answer = await create(...exclusions);
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body).toHaveLength(exclusions.length);
      return answer.body;
    },
    update: (...exclusions) => request("PATCH", paths.exclusions, { body: { exclusions } }),
    updateV1: (changes) => request("PATCH", paths.exclusionsV1, { body: changes }),
    get: (...ids) => request("GET", paths.exclusions, { query: { ids } }),
    getV1: (...ids) => request("GET", paths.exclusionsV1, { query: { ids } }),
    matched: async (process) => {
      const answer = await request<readonly Exclusion[]>("POST", paths.matched, { body: process });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.map((exclusion) => exclusion.name);
    },
    newGroup: async (id, ...deviceIds) => {
      const now = clock.now();
      await store.write(cid, async (transaction) => {
        const at = now.toISOString();
        const group = hostGroup({
          id,
          name: `group ${id}`,
          description: "",
          group_type: "staticByID",
          device_ids: deviceIds,
          created_by: "test",
          created_timestamp: at,
          modified_by: "test",
          modified_timestamp: at,
        });
        await transaction.records(hostGroups).insert([group], now);
        const members = deviceIds.map((device_id) => ({ device_id, cid, groups: [id] }));
        await transaction.records(hosts).put(members, now);
      });
      return id;
    },
    trail: async () => {
      const entries = await store.directory.auditEntries({ cid, limit: 100 });
      return entries.map(({ operation, comment, ids }) => ({ operation, comment, ids }));
    },
  };
}

export const hex = (digit: string): string => digit.repeat(32);

/** A valid exclusion, with the members that matter to the test. */
export const exclusion = (name: string, more: object = {}): object => ({
  name,
  pattern_id: "41005",
  ifn_regex: String.raw`.*\\${name.replaceAll(/\W/g, "")}\.exe`,
  cl_regex: ".*",
  ...more,
});

/** A process that differs from others only in `more`. */
export const processLines = (image: string, more: object = {}): object => ({
  aid: hex("e"),
  pattern_ids: ["41005"],
  image_file_name: image,
  command_line: "",
  parent_image_file_name: "",
  parent_command_line: "",
  grandparent_image_file_name: "",
  grandparent_command_line: "",
  ...more,
});
