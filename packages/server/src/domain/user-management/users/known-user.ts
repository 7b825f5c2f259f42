import { errors, type ApiError } from "../../../foundation/errors.ts";
import type { Context } from "../../../calls/context.ts";
import type { Caller } from "../../../calls/call.ts";
import type { Transaction } from "../../../store/index.ts";
import { users, userNoun, type StoredUser } from "../../../access/users.ts";
import { typeOf, viewerOf } from "../../../access/viewer.ts";
import { manages } from "../tenants/managed-tenants.ts";

interface ReadingCall {
  readonly caller: Caller;
  readonly context: Pick<Context, "store">;
}

/**
 * The user, if the caller's tenant or the tenant `cid` of the request knows the user; otherwise undefined.
 * External users count only if `external` is true.
 */
export async function knownUser(
  { caller, context }: ReadingCall,
  user: StoredUser | undefined,
  {
    cid = caller.cid,
    external = false,
  }: { readonly cid?: string; readonly external?: boolean } = {},
): Promise<StoredUser | undefined> {
  const knows = (tenant: string) => user?.associated_cids.includes(tenant) === true;
  if (user === undefined || !(knows(caller.cid) || knows(cid))) return undefined;
  if (external) return user;
  const viewer = await viewerOf(context.store.directory, caller.cid);
  return typeOf(user, viewer) === "internal" ? user : undefined;
}

/**
 * Locks and returns a user that the caller may change. 404 for users whom the tenant does not know and for
 * external users, 403 for users of a tenant that is not the caller's or below it.
 */
export async function takeManagedUser(
  call: ReadingCall,
  transaction: Transaction,
  uuid: string,
): Promise<StoredUser> {
  const user = await knownUser(
    call,
    (await transaction.records(users).getForUpdate([uuid])).get(uuid),
  );
  if (user === undefined) throw errors.recordsNotFound(userNoun, [uuid]);
  if (await manages(call.context.store.directory, call.caller.cid, user.cid)) return user;
  throw errors.forbidden(
    `user ${uuid} belongs to another tenant, ${user.cid}; only that tenant and its parents can change the user`,
  );
}

/** 400 for an unknown user in the query of an operation that looks up other records. */
export const invalidUser = (uuid: string): ApiError =>
  errors.invalidRequest([
    {
      at: "query.user_uuid",
      id: uuid,
      message: "invalid user uuid; the tenant has no user with it",
    },
  ]);
