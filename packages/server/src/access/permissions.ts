import { roleDefinition, type ActionName } from "../catalogue/roles.ts";
import {
  effectiveGrants,
  groupsOf,
  platformRecords,
} from "../domain/user-management/effective-grants.ts";
import { users, type StoredUser } from "../domain/user-management/users.ts";
import { LeastRecentlyUsed } from "../store/least-recently-used.ts";
import type { Store } from "../store/types.ts";

/** What the roles that a user holds in one tenant allow there. */
export interface Permissions {
  /** Ids of the roles, in text order. None: the user has no business in the tenant. */
  readonly roles: readonly string[];
  /** Scopes of the document. */
  readonly scopes: ReadonlySet<string>;
  readonly actions: ReadonlySet<ActionName>;
}

/** The user that a client acts as, and what that user may do in the token's tenant. */
export interface ActingUser extends Permissions {
  readonly uuid: string;
  readonly uid: string;
}

/** What permissions follow from, as long as the user has this revision and no grant has ended. */
interface Kept {
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly permissions: Permissions;
}

const none: Permissions = { roles: [], scopes: new Set(), actions: new Set() };

const permissionsKept = 10_000;
/** By store, then by user and tenant. Right on every process: each look-up reads the user's revision. */
const keptByStore = new WeakMap<Store, LeastRecentlyUsed<string, Kept>>();

/**
 * What a user may do in a tenant at `now`: nothing after the last grant there was revoked or has ended,
 * and nothing while the user is inactive or unknown.
 */
export async function permissionsOf(
  store: Store,
  uuid: string,
  cid: string,
  now: Date,
): Promise<Permissions> {
  return (await actingUser(store, uuid, cid, now)) ?? none;
}

/** As `permissionsOf`, with the user; null for one who is gone or inactive. */
export async function actingUser(
  store: Store,
  uuid: string,
  cid: string,
  now: Date,
): Promise<ActingUser | null> {
  const user = (await platformRecords(store).records(users).whole([uuid], now)).get(uuid);
  if (user === undefined || user.status !== "active") return null;
  return { uuid, uid: user.uid, ...(await permissionsIn(store, user, cid, now)) };
}

async function permissionsIn(
  store: Store,
  user: StoredUser,
  cid: string,
  now: Date,
): Promise<Permissions> {
  const key = `${user.uuid}/${cid}`;
  const { revision = 0 } = user;
  const kept = keptOf(store);
  const known = kept.peek(key);
  if (known?.revision === revision && now.getTime() < known.until) return known.permissions;
  const groups = await groupsOf(platformRecords(store), [user.uuid], now);
  const grants = effectiveGrants(user, groups, now).filter((grant) => grant.cid === cid);
  const ends = grants.flatMap(({ expires_at }) => expires_at ?? []);
  const permissions = allowedBy(grants.map(({ role_id }) => role_id));
  kept.set(key, {
    revision,
    until: Math.min(Infinity, ...ends.map((end) => Date.parse(end))),
    permissions,
  });
  return permissions;
}

/** What roles allow together. */
export function allowedBy(roleIds: readonly string[]): Permissions {
  const roles = [...new Set(roleIds)].toSorted();
  const definitions = roles.flatMap((id) => roleDefinition(id) ?? []);
  return {
    roles,
    scopes: new Set(definitions.flatMap(({ permissions }) => [...permissions])),
    actions: new Set(definitions.flatMap(({ actions }) => [...actions])),
  };
}

function keptOf(store: Store): LeastRecentlyUsed<string, Kept> {
  let kept = keptByStore.get(store);
  if (kept === undefined) {
    kept = new LeastRecentlyUsed(permissionsKept);
    keptByStore.set(store, kept);
  }
  return kept;
}
