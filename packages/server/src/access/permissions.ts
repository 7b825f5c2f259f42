import { LRUCache } from "lru-cache";
import type { ActingUser, Permissions } from "../calls/call.ts";
import { effectiveGrants, groupsOf, platformRecords } from "./effective-grants.ts";
import { customRoles, isPlatformRole, findRoles, type TenantRoles } from "./tenant-roles.ts";
import { users, type StoredUser } from "./users.ts";
import { perStore, type Store } from "../store/index.ts";

/** A cached user. Valid for this revision of the user and this state of its roles, until a grant expires. */
interface CachedUser {
  readonly revision: number;
  /** The state of the custom roles when they were read. Null for a user who has none. */
  readonly rolesState: string | null;
  /** The version of the database when the user was read. While it stays the same, nothing has changed. */
  readonly version: number | null;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly user: ActingUser;
}

const none: Permissions = { roles: [], scopes: new Set(), actions: new Set() };

const cachedUsers = 10_000;
/** Permissions by user and tenant. Each look-up checks the current state, so that all processes agree. */
const cacheOf = perStore(() => new LRUCache<string, CachedUser>({ max: cachedUsers }));

/**
 * What a user may do in a tenant at `now`: nothing without a grant there, and nothing if the user is inactive
 * or unknown.
 */
export async function permissionsOf(
  store: Store,
  uuid: string,
  cid: string,
  now: Date,
): Promise<Permissions> {
  return (await actingUser(store, uuid, cid, now)) ?? none;
}

/** Like `permissionsOf`, with the user. Null for an unknown or inactive user. */
export async function actingUser(
  store: Store,
  uuid: string,
  cid: string,
  now: Date,
): Promise<ActingUser | null> {
  const key = `${uuid}/${cid}`;
  const cache = cacheOf(store);
  const version = store.version();
  const cached = cache.get(key);
  const isFresh = cached !== undefined && now.getTime() < cached.until;
  if (isFresh && version !== null && cached.version === version) return cached.user;
  const user = await readUser(store, uuid, now);
  if (user === undefined || user.status !== "active") return null;
  const { revision = 0 } = user;
  const isCurrent =
    isFresh &&
    cached.revision === revision &&
    (cached.rolesState === null || cached.rolesState === (await rolesState(store)));
  const current = isCurrent
    ? { ...cached, version }
    : { ...(await actingIn(store, user, cid, now)), revision, version };
  cache.set(key, current);
  return current.user;
}

/** A text that differs after every change to custom roles. */
const rolesState = (store: Store): Promise<string> =>
  platformRecords(store).records(customRoles).revision();

async function readUser(store: Store, uuid: string, now: Date): Promise<StoredUser | undefined> {
  return (await platformRecords(store).records(users).getComplete([uuid], now)).get(uuid);
}

async function actingIn(
  store: Store,
  user: StoredUser,
  cid: string,
  now: Date,
): Promise<Pick<CachedUser, "user" | "until" | "rolesState">> {
  const { uuid, uid } = user;
  const reader = platformRecords(store);
  const groups = await groupsOf(reader, [uuid], now);
  const grants = effectiveGrants(user, groups, now).filter((grant) => grant.cid === cid);
  const role_ids = [...new Set(grants.map(({ role_id }) => role_id))].toSorted();
  // This comes before the roles, so that the next look-up notices a change in between.
  const state = role_ids.every(isPlatformRole) ? null : await rolesState(store);
  const roles = await findRoles(reader, store.directory, { cid, role_ids }, now);
  const expiries = grants.flatMap(({ expires_at }) => expires_at ?? []);
  return {
    user: { uuid, uid, ...permissionsFrom(role_ids, roles) },
    until: Math.min(Infinity, ...expiries.map((expiry) => Date.parse(expiry))),
    rolesState: state,
  };
}

/** The combined permissions of the roles. */
function permissionsFrom(role_ids: readonly string[], { definition }: TenantRoles): Permissions {
  const definitions = role_ids.flatMap((id) => definition(id) ?? []);
  return {
    roles: role_ids,
    scopes: new Set(definitions.flatMap(({ permissions }) => [...permissions])),
    actions: new Set(definitions.flatMap(({ actions }) => [...actions])),
  };
}
