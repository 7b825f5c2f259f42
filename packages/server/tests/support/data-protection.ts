import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import type { Answer, Request } from "./api.ts";
import { sessionSuite, type BaseSession } from "./session.ts";
import type { Database } from "./shared-api.ts";

type Schemas = components["schemas"];

/** Paths and record type of each kind. */
export const paths = {
  "cloud-applications": ["/cloud-applications/v1", "/cloud-applications/v2"],
  "content-patterns": ["/content-patterns/v1", "/content-patterns/v2"],
  "enterprise-accounts": ["/enterprise-accounts/v1", "/enterprise-accounts/v2"],
  "file-types": ["/file-types/v1", "/file-types/v2"],
  labels: ["/labels/v2", "/labels/v2"],
  "local-application-groups": ["/local-application-groups/v1", "/local-application-groups/v1"],
  "local-applications": ["/local-applications/v1", "/local-applications/v1"],
  "web-location-groups": ["/web-location-groups/v2", "/web-location-groups/v2"],
  "web-locations": ["/web-locations/v2", "/web-locations/v2"],
} as const;

export interface Records {
  readonly "cloud-applications": Schemas["CloudApplication"];
  readonly "content-patterns": Schemas["ContentPattern"];
  readonly "enterprise-accounts": Schemas["EnterpriseAccount"];
  readonly "file-types": Schemas["DataProtectionFileType"];
  readonly labels: Schemas["SensitivityLabel"];
  readonly "local-application-groups": Schemas["LocalApplicationGroup"];
  readonly "local-applications": Schemas["LocalApplication"];
  readonly "web-location-groups": Schemas["WebLocationGroup"];
  readonly "web-locations": Schemas["WebLocation"];
}

export type KindName = keyof Records;

/** A separate tenant, and operations of its client. */
export interface Session extends BaseSession {
  create<Name extends KindName, Body = readonly Records[Name][]>(
    kind: Name,
    body: object,
  ): Promise<Answer<Body>>;
  /** Creates a record and expects success. */
  stored<Name extends KindName>(kind: Name, body: object): Promise<Records[Name]>;
  change<Name extends KindName, Body = readonly Records[Name][]>(
    kind: Name,
    id: string,
    body: object,
  ): Promise<Answer<Body>>;
  remove<Name extends KindName, Body = readonly Records[Name][]>(
    kind: Name,
    ...ids: readonly string[]
  ): Promise<Answer<Body>>;
  get<Name extends KindName, Body = readonly Records[Name][]>(
    kind: Name,
    ...ids: readonly string[]
  ): Promise<Answer<Body>>;
  /** Reads a record and expects that it exists. */
  read<Name extends KindName>(kind: Name, id: string): Promise<Records[Name]>;
  query(kind: KindName, query?: Request["query"]): Promise<Answer<readonly string[]>>;
  /** A built-in record, by name. */
  known<Name extends KindName>(kind: Name, name: string): Promise<Records[Name]>;
  /** The audit trail, newest first. */
  trail(): Promise<readonly { operation: string; ids: readonly string[] }[]>;
}

/**
 * One server for a suite; every test opens a session, which is a tenant that no other test sees.
 */
export const dataProtectionSuite = (database: Database) =>
  sessionSuite(database, openSession, { catalogue: true });

function openSession(base: BaseSession): Session {
  const request: Session["request"] = (method, path, options) =>
    base.request(method, `/data-protection${path}`, options);
  const entities = (kind: KindName) => `/entities${paths[kind][0]}`;
  const create: Session["create"] = (kind, body) => request("POST", entities(kind), { body });
  const get: Session["get"] = (kind, ...ids) => request("GET", entities(kind), { query: { ids } });
  const query: Session["query"] = (kind, parameters = {}) =>
    request("GET", `/queries${paths[kind][1]}`, { query: parameters });
  const read: Session["read"] = async (kind, id) => {
    const answer = await get(kind, id);
    expect(answer.status, answer.text).toBe(200);
    const [record] = answer.body;
    if (record === undefined) throw new Error("nothing was read");
    return record;
  };
  return {
    ...base,
    request,
    create,
    get,
    query,
    read,
    stored: async (kind, body) => {
      const answer = await create(kind, body);
      expect(answer.status, answer.text).toBe(200);
      const [record] = answer.body;
      if (record === undefined) throw new Error("nothing was created");
      return record;
    },
    change: (kind, id, body) => request("PATCH", entities(kind), { query: { id }, body }),
    remove: (kind, ...ids) => request("DELETE", entities(kind), { query: { ids } }),
    known: async (kind, wanted) => {
      const ids = await query(kind, { filter: `name.raw:'${wanted}'` });
      expect(ids.body, ids.text).toHaveLength(1);
      return read(kind, ids.body[0] ?? "");
    },
    trail: async () => {
      const entries = await base.store.directory.auditEntries({ cid: base.tenant.cid, limit: 100 });
      return entries.map(({ operation, ids }) => ({ operation, ids }));
    },
  };
}

export const nothing = "f".repeat(32);

/** A valid new record of each kind that can be created, with the given name. */
export const inputs = {
  "cloud-applications": (name: string) => ({
    name,
    urls: [{ fqdn: `${name.toLowerCase()}.example.com`, path: "" }],
  }),
  "content-patterns": (name: string) => ({
    name,
    category: "Custom",
    region: "ALL",
    regexes: [String.raw`\bNW-[0-9]{8}\b`],
    min_match_threshold: 1,
  }),
  "enterprise-accounts": (name: string) => ({
    name,
    application_group_id: "google",
    domains: ["example.com"],
  }),
  labels: (name: string) => ({ name, display_name: name, label_provider: "microsoft" }),
  "local-application-groups": (name: string) => ({ name }),
  "local-applications": (name: string) => ({ name, executable_name: `${name}.exe` }),
  "web-location-groups": (name: string) => ({ name }),
  "web-locations": (name: string) => ({
    web_locations: [{ name, location_type: "folder" }],
  }),
} as const satisfies { readonly [Name in KindName]?: (name: string) => object };

export type WritableName = keyof typeof inputs;
export const writable = Object.keys(inputs) as readonly WritableName[];
