import type { ActingUser, Permissions } from "../call.ts";
import { effectiveGrants, groupsOf, platformRecords } from "./effective-grants.ts";
import { rolesNamed, type TenantRoles } from "./tenant-roles.ts";
import { users, type StoredUser } from "./users.ts";
import { LeastRecentlyUsed } from "../store/least-recently-used.ts";
import type { Store } from "../store/types.ts";

/** What is believed as long as the user has this revision and no grant has ended. */
interface Kept {
  readonly revision: number;
  /** Of the database when the user was read: while it is the same, so is the user. */
  readonly version: number | null;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly user: ActingUser;
}

const none: Permissions = { roles: [], scopes: new Set(), actions: new Set() };

const usersKept = 10_000;
/** By store, then by user and tenant. Right on every process: each look-up asks for the newest state. */
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
  const key = `${uuid}/${cid}`;
  const keptUsers = keptOf(store);
  const version = store.version();
  const known = keptUsers.peek(key);
  const holds = known !== undefined && now.getTime() < known.until;
  if (holds && version !== null && known.version === version) return known.user;
  const user = await readUser(store, uuid, now);
  if (user === undefined || user.status !== "active") return null;
  const { revision = 0 } = user;
  const kept =
    holds && known.revision === revision
      ? { ...known, version }
      : { ...(await actingIn(store, user, cid, now)), revision, version };
  keptUsers.set(key, kept);
  return kept.user;
}

async function readUser(store: Store, uuid: string, now: Date): Promise<StoredUser | undefined> {
  return (await platformRecords(store).records(users).whole([uuid], now)).get(uuid);
}

async function actingIn(
  store: Store,
  user: StoredUser,
  cid: string,
  now: Date,
): Promise<Pick<Kept, "user" | "until">> {
  const { uuid, uid } = user;
  const reader = platformRecords(store);
  const groups = await groupsOf(reader, [uuid], now);
  const grants = effectiveGrants(user, groups, now).filter((grant) => grant.cid === cid);
  const role_ids = [...new Set(grants.map(({ role_id }) => role_id))].toSorted();
  const roles = await rolesNamed(reader, store.directory, { cid, role_ids }, now);
  const ends = grants.flatMap(({ expires_at }) => expires_at ?? []);
  return {
    user: { uuid, uid, ...allowedBy(role_ids, roles) },
    until: Math.min(Infinity, ...ends.map((end) => Date.parse(end))),
  };
}

/** What roles allow together. */
function allowedBy(role_ids: readonly string[], { definition }: TenantRoles): Permissions {
  const definitions = role_ids.flatMap((id) => definition(id) ?? []);
  return {
    roles: role_ids,
    scopes: new Set(definitions.flatMap(({ permissions }) => [...permissions])),
    actions: new Set(definitions.flatMap(({ actions }) => [...actions])),
  };
}

function keptOf(store: Store): LeastRecentlyUsed<string, Kept> {
  let kept = keptByStore.get(store);
  if (kept === undefined) {
    kept = new LeastRecentlyUsed(usersKept);
    keptByStore.set(store, kept);
  }
  return kept;
}
