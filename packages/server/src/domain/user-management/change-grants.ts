import { ApiError, errors } from "../../errors.ts";
import type { Call } from "../../call.ts";
import { auditEntry } from "../../records/audit.ts";
import { platformCid, type Transaction } from "../../store/types.ts";
import { recordTimestamp } from "../../records/timestamp.ts";
import { administratorsLost, keepAdministrators } from "./administrators.ts";
import { groupsOf } from "../../access/effective-grants.ts";
import { knownUser } from "./known-user.ts";
import { refreshed, settleWithin } from "./refresh-users.ts";
import { roleNoun, rolesNamed } from "../../access/tenant-roles.ts";
import { userNoun, users, type DirectGrant, type StoredUser } from "../../access/users.ts";
import { tenantMeant } from "./viewer.ts";

/** Direct grants to make or to take back in one tenant. */
export interface GrantChange {
  readonly action: "grant" | "revoke";
  readonly cid: string;
  readonly role_ids: readonly string[];
  /** RFC 3339, in the form of records. Absent: the grants stay. */
  readonly expires_at?: string;
}

/** As a request has it. */
interface AskedChange extends Omit<GrantChange, "cid" | "expires_at"> {
  readonly cid?: string | undefined;
  readonly expires_at?: string | undefined;
  readonly uuid: string;
}

type ChangeCall = Pick<Call, "operation" | "context" | "now" | "traceId"> & {
  readonly caller: NonNullable<Call["caller"]>;
};

/**
 * The change that a request asks for: 403 for a tenant that the caller has no say in, 400 for an expiry
 * that makes no sense.
 */
export async function readGrantChange(
  call: Pick<ChangeCall, "caller" | "context" | "now">,
  { action, cid: asked, role_ids, expires_at: text }: Omit<AskedChange, "uuid">,
): Promise<GrantChange> {
  const cid = await tenantMeant(call, asked, "body.cid");
  const change = { action, cid, role_ids };
  if (text === undefined) return change;
  const at = "body.expires_at";
  if (action === "revoke") {
    throw errors.invalidRequest([{ at, message: "goes with grant only; leave it out to revoke" }]);
  }
  const expires_at = recordTimestamp(text) ?? text;
  const current = call.now.toISOString();
  if (expires_at > current) return { ...change, expires_at };
  const message = `expected an instant in the future, got ${expires_at}; it is ${current}`;
  throw errors.invalidRequest([{ at, message }]);
}

/**
 * Grants or revokes, all or none, for a user of the tenant; gives the number of grants that changed.
 * 404 that names an unknown or external user and every unknown role.
 */
export async function changeGrantsOf(call: ChangeCall, asked: AskedChange): Promise<number> {
  const { context, now } = call;
  const change = await readGrantChange(call, asked);
  return context.store.write(platformCid, async (transaction) => {
    await settleWithin(transaction, now);
    const stored = (await transaction.records(users).take([asked.uuid])).get(asked.uuid);
    const user = await knownUser(call, stored, { cid: change.cid });
    const unknown = await unknownRoles(call, transaction, change);
    if (user === undefined) throw unknownUserOrRoles([asked.uuid], unknown);
    if (unknown.length > 0) throw unknownUserOrRoles([], unknown);
    return changeGrants(call, transaction, user, change);
  });
}

/** The roles of a change that the tenant does not have. */
export async function unknownRoles(
  { context, now }: Pick<ChangeCall, "context" | "now">,
  transaction: Transaction,
  change: GrantChange,
): Promise<readonly string[]> {
  const roles = await rolesNamed(transaction, context.store.directory, change, now);
  return roles.unknown(change.role_ids);
}

/** 404 with an entry for each of these users and roles. */
export function unknownUserOrRoles(uuids: readonly string[], roleIds: readonly string[]): ApiError {
  const { entries } = errors.recordsNotFound(userNoun, uuids);
  return new ApiError(404, [...entries, ...errors.recordsNotFound(roleNoun, roleIds).entries]);
}

/** Stores the change for a user that the transaction took; 409 where a tenant would lose its last administrator. */
export async function changeGrants(
  call: Pick<ChangeCall, "operation" | "caller" | "now" | "traceId">,
  transaction: Transaction,
  user: StoredUser,
  change: GrantChange,
): Promise<number> {
  const { now } = call;
  const { grants, changed } = changedGrants(user.grants, change, now);
  if (changed === 0) return 0;
  const groups = await groupsOf(transaction, [user.uuid], now);
  const after = refreshed({ ...user, grants, updated_at: now.toISOString() }, groups, now);
  await transaction.records(users).replace([after], now);
  await keepAdministrators(transaction, administratorsLost(user, after), now);
  await transaction.audit({ ...auditEntry(call, undefined, [user.uuid]), cid: change.cid });
  return changed;
}

/** The direct grants after a change, and how many of them it made, took back or gave another expiry. */
export function changedGrants(
  grants: readonly DirectGrant[],
  { action, cid, role_ids, expires_at }: GrantChange,
  now: Date,
): { readonly grants: readonly DirectGrant[]; readonly changed: number } {
  const named = new Set(role_ids);
  const isNamed = (grant: DirectGrant) => grant.cid === cid && named.has(grant.role_id);
  const held = grants.filter(isNamed);
  const others = grants.filter((grant) => !isNamed(grant));
  if (action === "revoke") return { grants: others, changed: held.length };
  const since = new Map(held.map(({ role_id, granted_at }) => [role_id, granted_at]));
  const same = held.filter((grant) => grant.expires_at === expires_at);
  const made = [...named].map((role_id) => ({
    cid,
    role_id,
    granted_at: since.get(role_id) ?? now.toISOString(),
    ...(expires_at === undefined ? {} : { expires_at }),
  }));
  return { grants: [...others, ...made], changed: made.length - same.length };
}
