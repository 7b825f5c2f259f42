import type { OperationId } from "@security-platform/spec";
import type { Awaitable } from "../foundation/awaitable.ts";
import type { Call, Caller, Permissions } from "../calls/call.ts";
import { errors } from "../foundation/errors.ts";
import { platformRecords } from "./effective-grants.ts";
import { permissionsOf } from "./permissions.ts";
import type { ActionName } from "./roles.ts";
import { permissionNotHeld, findRoles } from "./tenant-roles.ts";

/** An action on users, and the tenant in which it happens. */
export interface RequiredAction {
  readonly action: ActionName;
  /** Default: the token's tenant. */
  readonly cid?: string;
  /** Ids of roles that the call grants. The user must hold all permissions of these roles. */
  readonly granted?: readonly string[];
}

/** What an operation requires, in addition to its scope, if its client acts as a user. */
export interface Authorization<Id extends OperationId = OperationId> {
  /** The required action, or several if the call changes roles in several tenants. */
  action?(call: Call<Id>): Awaitable<RequiredAction | readonly RequiredAction[]>;
  /** Tenants that the call reads without a token for them. Undefined stands for the token's tenant. */
  readsTenants?(call: Call<Id>): readonly (string | undefined)[];
}

/** Authorizations by operation id. Operations that only need their scope are absent. */
export type Authorizations = { readonly [Id in OperationId]?: Authorization<Id> };

/** Throws 403 unless the token and, if the client acts as a user, the roles of the user include `scope`. */
export function requireScope({ cid, scopes, user }: Caller, scope: string): void {
  if (!scopes.includes(scope)) throw errors.insufficientScope(scope);
  if (user === undefined || user.scopes.has(scope)) return;
  throw errors.missingPermission(scope, user.uid, cid);
}

/**
 * Throws 403 unless the roles of the acting user allow what the operation declares: its action in the tenant
 * where it happens, and its scope in each tenant that it reads.
 */
export async function requireAuthorization(
  call: Call,
  { action, readsTenants }: Authorization,
): Promise<void> {
  const caller: Caller | null = call.caller;
  if (caller?.user === undefined) return;
  const { scope } = call.operation;
  const { user } = caller;
  const permissionsIn = async (cid: string): Promise<Permissions> =>
    cid === caller.cid ? user : permissionsOf(call.context.store, user.uuid, cid, call.now);
  if (action !== undefined) {
    for (const { cid = caller.cid, ...required } of [await action(call)].flat()) {
      const permissions = await permissionsIn(cid);
      await requireAction(call, permissions, { ...required, cid }, user.uid);
    }
  }
  if (readsTenants === undefined || scope === null) return;
  for (const cid of new Set(readsTenants(call))) {
    const { scopes } = await permissionsIn(cid ?? caller.cid);
    if (!scopes.has(scope)) {
      throw errors.missingPermission(scope, user.uid, cid ?? caller.cid);
    }
  }
}

async function requireAction(
  { context: { store }, now }: Call,
  permissions: Permissions,
  { action, cid, granted = [] }: RequiredAction & { readonly cid: string },
  uid: string,
): Promise<void> {
  if (!permissions.actions.has(action)) throw errors.missingPermission(action, uid, cid);
  if (granted.length === 0) return;
  const query = { cid, role_ids: granted };
  const roles = await findRoles(platformRecords(store), store.directory, query, now);
  for (const id of granted) {
    const role = roles.definition(id);
    const missing = role && permissionNotHeld(role, permissions);
    if (missing === undefined) continue;
    throw errors.missingPermission(`${missing}, which ${id} does`, uid, cid);
  }
}
