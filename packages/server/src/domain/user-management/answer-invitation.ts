import { errors } from "../../errors.ts";
import { platformCid, type Store, type Transaction } from "../../store/types.ts";
import { administratorsLost, keepAdministrators } from "./administrators.ts";
import { changedGrants } from "./change-grants.ts";
import { groupsOf } from "../../access/effective-grants.ts";
import {
  inOrder,
  invitationNoun,
  invitations,
  statusAt,
  type Invitation,
  type StoredInvitation,
} from "./invitations.ts";
import { canceled } from "./invite.ts";
import { refreshed, settleWithin } from "./refresh-users.ts";
import { users, type DirectGrant } from "../../access/users.ts";

/** An invitation that was accepted, and the roles that are held since. */
export interface Acceptance {
  readonly invitation: Invitation;
  readonly role_ids: readonly string[];
}

/**
 * The invited user accepts: from `now` on the roles are held, without those whose end has come. `given`:
 * the invitation's token or id. 404 for an unknown one, 409 where there is nothing to accept any more.
 */
export function acceptInvitation(store: Store, given: string, now: Date): Promise<Acceptance> {
  return store.write(platformCid, async (transaction) => {
    await settleWithin(transaction, now);
    const pending = await takePending(transaction, given, now);
    const roles = pending.roles.filter(
      ({ expires_at }) => expires_at === undefined || expires_at > now.toISOString(),
    );
    if (roles.length === 0) {
      throw conflict(pending, "every role in it has ended; grant it again to invite anew");
    }
    const role_ids = roles.map(({ role_id }) => role_id);
    await grantInvited(transaction, { ...pending, roles }, now);
    const at = now.toISOString();
    const accepted = inOrder({
      ...pending,
      status: "accepted",
      accepted_at: at,
      updated_at: at,
      updated_by: pending.invitee_email,
    });
    await transaction.records(invitations).replace([accepted], now);
    await audit(transaction, "invitations accept", accepted, now);
    return { invitation: served(accepted), role_ids };
  });
}

/** Cancels a pending invitation. Errors as `acceptInvitation`. */
export function cancelInvitation(
  store: Store,
  given: string,
  by: string,
  now: Date,
): Promise<Invitation> {
  return store.write(platformCid, async (transaction) => {
    const after = canceled(await takePending(transaction, given, now), by, now);
    await transaction.records(invitations).replace([after], now);
    await audit(transaction, "invitations cancel", after, now);
    return served(after);
  });
}

async function takePending(
  transaction: Transaction,
  given: string,
  now: Date,
): Promise<StoredInvitation> {
  const records = transaction.records(invitations);
  const byId = (await records.take([given])).get(given);
  const byToken = { kind: "equal", field: "invitation_token", value: given, fold: false } as const;
  const found = byId ?? (await records.takeMatching(byToken, now))[0];
  if (found === undefined) throw errors.recordsNotFound(invitationNoun, [given]);
  const status = statusAt(found, now);
  if (status !== "pending") throw conflict(found, `it is ${status} already`);
  return found;
}

async function grantInvited(
  transaction: Transaction,
  invitation: StoredInvitation,
  now: Date,
): Promise<void> {
  const { invitee_uuid: uuid, target_cid: cid, roles } = invitation;
  const records = transaction.records(users);
  const user = (await records.take([uuid])).get(uuid);
  if (user === undefined) throw conflict(invitation, "the invited user is no more");
  const grants = roles.reduce<readonly DirectGrant[]>(
    (held, { role_id, ...expiry }) =>
      changedGrants(held, { action: "grant", cid, role_ids: [role_id], ...expiry }, now).grants,
    user.grants,
  );
  const groups = await groupsOf(transaction, [uuid], now);
  const after = refreshed({ ...user, grants, updated_at: now.toISOString() }, groups, now);
  await records.replace([after], now);
  // The invitation may hold an end for what the user was granted for good meanwhile.
  await keepAdministrators(transaction, administratorsLost(user, after), now);
}

const conflict = ({ invitation_id }: StoredInvitation, reason: string) =>
  errors.conflict([
    {
      at: "",
      id: invitation_id,
      message: `invitation ${invitation_id} cannot be answered: ${reason}`,
    },
  ]);

const served = ({ roles: _roles, audience: _audience, ...invitation }: StoredInvitation) =>
  invitation satisfies Invitation;

const audit = (
  transaction: Transaction,
  operation: string,
  { invitation_id, target_cid }: StoredInvitation,
  now: Date,
): Promise<void> =>
  transaction.audit({
    at: now,
    actor: "cli",
    operation,
    trace_id: null,
    comment: null,
    ids: [invitation_id],
    cid: target_cid,
  });

/** Invitations to one tenant or to all, newest first; for those who run the platform. */
export async function listInvitations(
  store: Store,
  now: Date,
  { cid, limit }: { readonly cid?: string | undefined; readonly limit: number },
): Promise<readonly Invitation[]> {
  const { items } = await store.records(invitations, { cid: cid ?? platformCid }).page({
    predicate: { kind: "everything" },
    sort: [{ field: "created_at", direction: "desc" }],
    limit,
    shape: "records",
    now,
  });
  return items.map((text) => JSON.parse(text) as Invitation);
}
