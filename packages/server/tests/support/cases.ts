import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import {
  newAccessTag,
  accessTags,
  type StoredAccessTag,
} from "../../src/domain/case-management/access-tags/access-tags.ts";
import { importRecords, type ImportKind, type ImportOutcome } from "../../src/imports/index.ts";
import { clientOf, type ActingClient } from "./acting.ts";
import type { Answer } from "./api.ts";
import { sessionSuite, type BaseSession } from "./session.ts";
import type { Database } from "./shared-api.ts";

type Schemas = components["schemas"];
export type Case = Schemas["Case"];

export const paths = {
  alerts: "/cases/entities/alert-evidence/v1",
  cases: "/cases/entities/cases/v2",
  events: "/cases/entities/event-evidence/v1",
  merge: "/cases/entities/merge/v1",
  search: "/cases/queries/cases/v1",
  tags: "/cases/entities/case-tags/v1",
  users: "/user-management/entities/users/v1",
  roles: "/user-management/entities/user-role-actions/v1",
} as const;

export const noCase = "00000000-0000-4000-8000-000000000000";

type Query = Readonly<Record<string, string | number>>;

/** Operations of a tenant's client. */
export interface Session extends BaseSession {
  create<Body = readonly Case[]>(body: object): Promise<Answer<Body>>;
  /** Creates a case and expects success. */
  stored(more?: object): Promise<Case>;
  get<Body = readonly Case[]>(...ids: readonly string[]): Promise<Answer<Body>>;
  /** Reads a case and expects that it exists. */
  read(id: string): Promise<Case>;
  patch<Body = readonly Case[]>(id: string, fields: object, more?: object): Promise<Answer<Body>>;
  /** Adds alerts or events. */
  add<Body = readonly Case[]>(
    kind: "alerts" | "events",
    id: string,
    ids: readonly string[],
  ): Promise<Answer<Body>>;
  merge<Body>(source_id: string, destination_id: string): Promise<Answer<Body>>;
  search<Body = readonly string[]>(query: Query): Promise<Answer<Body>>;
  /** Names of the cases that a query finds, in the order of the response. */
  found(query: Query): Promise<readonly string[]>;
  user(name: string): Promise<Schemas["User"]>;
  /** A client that acts as this user, as an administrator of the tenant. */
  administrator(user: Pick<Schemas["User"], "uuid">): Promise<ActingClient>;
  imported(kind: ImportKind, records: readonly object[], update?: boolean): Promise<ImportOutcome>;
  /** Alerts with these ids, to add to cases. */
  alerts(...ids: readonly string[]): Promise<void>;
  /** An access tag and its holders. */
  accessTag(key: string, ...holders: readonly string[]): Promise<StoredAccessTag>;
}

export const casesSuite = (database: Database) => sessionSuite(database, openSession);

export function openSession(base: BaseSession, number: number): Session {
  const { request, tenant, clock, store } = base;
  const { cid } = tenant;
  const create: Session["create"] = (body) => request("PUT", paths.cases, { body });
  const get: Session["get"] = (...ids) => request("POST", paths.cases, { body: { ids } });
  const search: Session["search"] = (query) => request("GET", paths.search, { query });
  const imported: Session["imported"] = async (kind, records, update = false) => {
    const lines = records.map((record) => JSON.stringify(record));
    return importRecords(store, { cid, kind, lines, clock, update });
  };
  const read: Session["read"] = async (id) => {
    const answer = await get(id);
    expect(answer.status, answer.text).toBe(200);
    return answer.body[0] as Case;
  };
  return {
    ...base,
    create,
    stored: async (more = {}) => {
      const answer = await create({ name: "a case", severity: 50, ...more });
      expect(answer.status, answer.text).toBe(201);
      return answer.body[0] as Case;
    },
    get,
    read,
    patch: (id, fields, more = {}) =>
      request("PATCH", paths.cases, { body: { id, fields, ...more } }),
    add: (kind, id, ids) =>
      request("POST", paths[kind], { body: { id, [kind]: ids.map((each) => ({ id: each })) } }),
    merge: (source_id, destination_id) =>
      request("POST", paths.merge, { body: { source_id, destination_id } }),
    search,
    found: async (query) => {
      const answer = await search(query);
      expect(answer.status, answer.text).toBe(200);
      if (answer.body.length === 0) return [];
      const cases = await get(...answer.body);
      return cases.body.map(({ name }) => name);
    },
    administrator: async (user) => {
      const body = { action: "grant", uuid: user.uuid, cid, role_ids: ["falconhost_admin"] };
      const granted = await request("POST", paths.roles, { body });
      expect(granted.status, granted.text).toBe(200);
      return clientOf(base, user);
    },
    user: async (name) => {
      const body = {
        uid: `${name}@cases${number}.example`,
        first_name: name,
        last_name: "Tester",
        password: "Correct-horse-7",
      };
      const answer = await request<readonly Schemas["User"][]>("POST", paths.users, { body });
      expect(answer.status, answer.text).toBe(201);
      return answer.body[0] as Schemas["User"];
    },
    imported,
    alerts: async (...ids) => {
      const outcome = await imported(
        "alerts",
        ids.map((id) => ({ id, timestamp: "2026-02-01T00:00:00Z" })),
      );
      expect(outcome).toMatchObject({ imported: ids.length, problems: [] });
    },
    accessTag: async (key, ...holders) => {
      const tag = { ...newAccessTag(key, cid, ""), holders };
      await store.write(cid, (transaction) =>
        transaction.records(accessTags).insert([tag], clock.now()),
      );
      return tag;
    },
  };
}
