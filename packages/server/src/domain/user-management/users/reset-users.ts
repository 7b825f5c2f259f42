import type { components } from "@security-platform/spec";
import { errors } from "../../../foundation/errors.ts";
import type { WritingCall } from "../../../records/write.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueMails } from "../../../mail/outbox.ts";
import { activating, resetting, type Mailed } from "../passwords/password-mails.ts";
import { userNoun, users, type StoredUser } from "../../../access/users.ts";
import { typeOf, viewerOf } from "../../../access/viewer.ts";
import { writeUsers } from "./write-users.ts";

type ResetName = components["schemas"]["UserAction"]["action_name"];

/**
 * Resets all of these users or none, and returns their number. The 404 has an entry for each unknown user.
 */
export const resetUsers = (
  call: WritingCall,
  name: ResetName,
  ids: readonly string[],
): Promise<number> =>
  writeUsers(call, async (writing) => {
    const { transaction, now } = writing;
    const stored = await takeManagedUsers(call, transaction, ids);
    const updated_at = now.toISOString();
    const results = stored.map((user) => resets[name]({ ...user, updated_at }, now));
    await writing.records(users).replace(results.map(({ user }) => user));
    await enqueueMails(
      transaction,
      results.flatMap(({ mails }) => mails),
      now,
    );
    return results.length;
  });

/** The user after a reset, and the mails about it. */
const resets: { readonly [Name in ResetName]: (user: StoredUser, now: Date) => Mailed } = {
  reset_2fa: (user) => ({ user: { ...user, factors: [] }, mails: [] }),
  // A user who never had a password gets another activation mail.
  reset_password: ({ password, ...user }, now) =>
    password === undefined && user.status === "inactive"
      ? activating(user, now)
      : resetting(user, now),
};

/**
 * Locks and returns users of the tenant and of tenants below it. 404 for unknown and external users, 403
 * for users of a parent tenant.
 */
async function takeManagedUsers(
  { caller, context }: WritingCall,
  transaction: Transaction,
  ids: readonly string[],
): Promise<readonly StoredUser[]> {
  const { directory } = context.store;
  const viewer = await viewerOf(directory, caller.cid);
  const managed = await directory.descendants(caller.cid);
  const own = new Set([caller.cid, ...managed.map(({ cid }) => cid)]);
  const stored = await transaction.records(users).getForUpdate(ids);
  const internalUsers = ids.flatMap((id) => {
    const user = stored.get(id);
    const isKnown = user?.associated_cids.includes(caller.cid) === true;
    return isKnown && typeOf(user, viewer) === "internal" ? [user] : [];
  });
  if (internalUsers.length < ids.length) {
    const uuids = new Set(internalUsers.map(({ uuid }) => uuid));
    throw errors.recordsNotFound(
      userNoun,
      ids.filter((id) => !uuids.has(id)),
    );
  }
  const foreign = internalUsers.filter(({ cid }) => !own.has(cid));
  if (foreign.length === 0) return internalUsers;
  throw errors.readOnly(
    foreign.map(({ uuid, cid }) => ({
      at: "",
      id: uuid,
      message: `user ${uuid} belongs to the tenant ${cid}; only that tenant and its parents can change the user`,
    })),
  );
}
