import { newIdentifier } from "../../src/foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import { expect } from "vitest";
import {
  storedTenantGroup,
  tenantGroups,
  userGroups,
  type TenantGroup,
  type UserGroup,
} from "../../src/access/groups.ts";
import { users, type DirectGrant } from "../../src/access/users.ts";
import { platformCid } from "../../src/store/types/types.ts";
import type { Answer, Request } from "./api.ts";
import { sessionSuite, type BaseSession, type ErrorBody } from "./session.ts";
import type { Database } from "./shared-api.ts";

type Schemas = components["schemas"];
export type User = Schemas["User"];
export type Grant = Schemas["GrantV2"];

export const paths = {
  users: "/user-management/entities/users/v1",
  get: "/user-management/entities/users/GET/v1",
  getAll: "/user-management/entities/users/GET/v2",
  query: "/user-management/queries/users/v1",
  queryAll: "/user-management/queries/users/v2",
  actions: "/user-management/entities/user-role-actions/v1",
  grants1: "/user-management/combined/user-roles/v1",
  grants2: "/user-management/combined/user-roles/v2",
  grants3: "/user-management/combined/user-roles/v3",
  legacyUsers: "/users/entities/users/v1",
  legacyEmails: "/users/queries/emails-by-cid/v1",
  legacyUuids: "/users/queries/user-uuids-by-cid/v1",
  legacyUuidsByUid: "/users/queries/user-uuids-by-email/v1",
  legacyRoles: "/user-roles/entities/user-roles/v1",
  legacyRoleIds: "/user-roles/queries/user-role-ids-by-user-uuid/v1",
} as const;

export const password = "Correct-horse-7";
export const nobody = "00000000-0000-4000-8000-000000000000";

type Query = Exclude<NonNullable<Request["query"]>, string>;

/** Operations of a tenant's client. */
export interface Session extends BaseSession {
  /** An address that no other session uses. */
  uid(name: string): string;
  create<Body = readonly User[]>(body: object, query?: Query): Promise<Answer<Body>>;
  /** Creates an active user and expects success. */
  user(name: string, more?: object): Promise<User>;
  change<Body = ErrorBody>(
    action: "grant" | "revoke",
    uuid: string,
    roles: readonly string[],
    more?: object,
  ): Promise<Answer<Body>>;
  /** Grants roles and expects success. */
  granted(uuid: string, roles: readonly string[], more?: object): Promise<void>;
  /** The response of `CombinedUserRolesV2`. */
  grants(uuid: string, query?: Query): Promise<readonly Grant[]>;
  /** The local parts of the e-mail addresses that a query finds, in the order of the response. */
  found(query?: Query, path?: string): Promise<readonly string[]>;
  get<Body = readonly User[]>(path: string, ...ids: readonly string[]): Promise<Answer<Body>>;
  /** Stores direct grants, without checks of permissions. */
  give(uuid: string, ...grants: readonly Partial<DirectGrant>[]): Promise<void>;
  userGroup(group: Partial<UserGroup>): Promise<UserGroup>;
  tenantGroup(group: Partial<TenantGroup>): Promise<TenantGroup>;
}

export function usersSuite(database: Database): {
  open(parent?: Session): Promise<Session>;
} {
  const { open } = sessionSuite(database, openUsers);
  return { open: (parent) => open(parent?.tenant) };
}

/** The operations on users of a tenant. */
export function openUsers(base: BaseSession, number: number): Session {
  const { tenant, clock, store, request } = base;
  const { cid } = tenant;
  const uid = (name: string) => `${name}@t${number}.example`;
  const create: Session["create"] = (body, query = {}) =>
    request("POST", paths.users, { body, query });
  const change: Session["change"] = (action, uuid, role_ids, more) =>
    request("POST", paths.actions, { body: { action, cid, uuid, role_ids, ...more } });
  const get: Session["get"] = (path, ...ids) => request("POST", path, { body: { ids } });
  return {
    ...base,
    uid,
    create,
    change,
    get,
    user: async (name, more) => {
      const answer = await create({ uid: uid(name), password, ...more });
      expect(answer.status, answer.text).toBe(201);
      return answer.body[0] as User;
    },
    granted: async (uuid, roles, more) => {
      const answer = await change("grant", uuid, roles, more);
      expect(answer.status, answer.text).toBe(200);
    },
    grants: async (uuid, query) => {
      const answer = await request<readonly Grant[]>("GET", paths.grants2, {
        query: { user_uuid: uuid, ...query },
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    found: async (query = {}, path = paths.query) => {
      const ids = await request<readonly string[]>("GET", path, { query });
      expect(ids.status, ids.text).toBe(200);
      if (ids.body.length === 0) return [];
      const answer = await get(paths.getAll, ...ids.body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.map((user) => user.uid.replace(/@.*/, ""));
    },
    give: (uuid, ...grants) =>
      store.write(platformCid, async (transaction) => {
        const now = clock.now();
        const records = transaction.records(users);
        const user = (await records.getForUpdate([uuid])).get(uuid);
        if (user === undefined) throw new Error(`no user ${uuid}`);
        const created = grants.map((grant) => ({
          cid,
          role_id: "falconhost_analyst",
          granted_at: now.toISOString(),
          ...grant,
        }));
        await records.replace([{ ...user, grants: [...user.grants, ...created] }], now);
      }),
    userGroup: async (given) => {
      const group = {
        id: newIdentifier(),
        cid,
        name: "Analysts",
        user_uuids: [],
        role_ids: [],
        ...given,
      };
      await store.write(platformCid, (transaction) =>
        transaction.records(userGroups).put([group], clock.now()),
      );
      return group;
    },
    tenantGroup: async (given) => {
      const group = { id: newIdentifier(), cid, name: "All", cids: [], grants: [], ...given };
      await store.write(platformCid, (transaction) =>
        transaction.records(tenantGroups).put([storedTenantGroup(group)], clock.now()),
      );
      return group;
    },
  };
}
