import { errors } from "../../../foundation/errors.ts";
import { defined } from "../../../records/defined.ts";
import type { Writing, WritingCall } from "../../../records/write.ts";
import type { Transaction } from "../../../store/index.ts";
import { knownUser } from "../users/known-user.ts";
import { roleNoun, findRoles } from "../../../access/tenant-roles.ts";
import { userNoun, users, type DirectGrant, type StoredUser } from "../../../access/users.ts";
import { requestedCid } from "../tenants/managed-tenants.ts";
import { writeUsers } from "../users/write-users.ts";

/** A change of a user's direct grants in one tenant. */
export interface GrantChange {
  readonly action: "grant" | "revoke";
  readonly cid: string;
  readonly role_ids: readonly string[];
  /** RFC 3339, in the format of records. Absent if the grants do not expire. */
  readonly expires_at?: string;
}

/** A change as requested; `cid` defaults to the caller's tenant. */
interface GrantRequest extends Omit<GrantChange, "cid" | "expires_at"> {
  readonly cid?: string | undefined;
  readonly expires_at?: string | undefined;
  readonly uuid: string;
}

/**
 * Reads a change from a request: 403 for a tenant that the caller does not manage, 400 for an invalid
 * expiry.
 */
export async function readGrantChange(
  call: WritingCall,
  { action, cid: requested, role_ids, expires_at }: Omit<GrantRequest, "uuid">,
): Promise<GrantChange> {
  const cid = await requestedCid(call, requested, "body.cid");
  const change = { action, cid, role_ids };
  if (expires_at === undefined) return change;
  const at = "body.expires_at";
  if (action === "revoke") {
    throw errors.invalidRequest([{ at, message: "is allowed only with grant; omit it to revoke" }]);
  }
  const current = call.now.toISOString();
  if (expires_at > current) return { ...change, expires_at };
  const message = `expected a time in the future, got ${expires_at}; it is ${current}`;
  throw errors.invalidRequest([{ at, message }]);
}

/**
 * Grants or revokes, all or none, for a user of the tenant, and returns the number of changed grants. The
 * 404 names an unknown or external user and every unknown role.
 */
export async function changeGrantsOf(call: WritingCall, request: GrantRequest): Promise<number> {
  const change = await readGrantChange(call, request);
  return writeUsers(call, async (writing) => {
    const { uuid } = request;
    const stored = (await writing.records(users).stored.getForUpdate([uuid])).get(uuid);
    const tenantUser = await knownUser(call, stored, { cid: change.cid });
    const user = await requireUserAndRoles(call, writing.transaction, tenantUser, {
      uuid,
      ...change,
    });
    return changeGrants(writing, user, change);
  });
}

/** Returns the user, if known. The 404 has an entry for an unknown user `uuid` and for each unknown role. */
export async function requireUserAndRoles(
  { context: { store }, now }: WritingCall,
  transaction: Transaction,
  user: StoredUser | undefined,
  { uuid, cid, role_ids }: Pick<GrantRequest, "uuid"> & GrantChange,
): Promise<StoredUser> {
  const roles = await findRoles(transaction, store.directory, { cid, role_ids }, now);
  const unknown = roles.unknown(role_ids);
  if (user !== undefined && unknown.length === 0) return user;
  const missing = user === undefined ? [uuid] : [];
  throw errors.severalNotFound([
    errors.recordsNotFound(userNoun, missing),
    errors.recordsNotFound(roleNoun, unknown),
  ]);
}

/** Stores the change of a locked user, and returns the number of changed grants. */
export async function changeGrants(
  writing: Writing,
  user: StoredUser,
  change: GrantChange,
): Promise<number> {
  const { now } = writing;
  const { grants, changed } = changedGrants(user.grants, change, now);
  if (changed === 0) return 0;
  const after = { ...user, grants, updated_at: now.toISOString() };
  await writing.records(users).replace([after], { cid: change.cid });
  return changed;
}

/**
 * The direct grants after a change, and the number of grants that were added, removed or got another
 * expiry.
 */
export function changedGrants(
  grants: readonly DirectGrant[],
  { action, cid, role_ids, expires_at }: GrantChange,
  now: Date,
): { readonly grants: readonly DirectGrant[]; readonly changed: number } {
  const roles = new Set(role_ids);
  const isConcerned = (grant: DirectGrant) => grant.cid === cid && roles.has(grant.role_id);
  const held = grants.filter(isConcerned);
  const others = grants.filter((grant) => !isConcerned(grant));
  if (action === "revoke") return { grants: others, changed: held.length };
  const since = new Map(held.map(({ role_id, granted_at }) => [role_id, granted_at]));
  const unchanged = held.filter((grant) => grant.expires_at === expires_at);
  const granted = [...roles].map((role_id) => ({
    cid,
    role_id,
    granted_at: since.get(role_id) ?? now.toISOString(),
    ...defined({ expires_at }),
  }));
  return { grants: [...others, ...granted], changed: granted.length - unchanged.length };
}
