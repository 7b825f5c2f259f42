import { where } from "@security-platform/fql";
import { errors } from "../../../foundation/errors.ts";
import { writeAsCommand, type Writing } from "../../../records/write.ts";
import { platformCid, type Store, type Transaction } from "../../../store/index.ts";
import { changedGrants } from "../grants/change-grants.ts";
import {
  inOrder,
  invitationNoun,
  invitations,
  statusAt,
  type Invitation,
  type StoredInvitation,
} from "./invitations.ts";
import { canceled } from "./invite.ts";
import { removeExpiredGrantsIn } from "../users/refresh-users.ts";
import { users, type DirectGrant } from "../../../access/users.ts";

/** An accepted invitation, and the roles that the user received. */
export interface Acceptance {
  readonly invitation: Invitation;
  readonly role_ids: readonly string[];
}

/**
 * Accepts on behalf of the invited user, who holds the roles that have not expired from `now` on.
 * `tokenOrId` identifies the invitation; `target` is the tenant that must have sent it. 404 for an unknown
 * invitation, 409 for one that can no longer be accepted.
 */
export function acceptInvitation(
  store: Store,
  tokenOrId: string,
  now: Date,
  target?: string,
): Promise<Acceptance> {
  const command = { store, cid: platformCid, name: "invitations accept", now };
  return writeAsCommand(command, async (writing) => {
    const { transaction } = writing;
    await removeExpiredGrantsIn(transaction, now);
    const pending = await takePending(transaction, tokenOrId, now, target);
    const roles = pending.roles.filter(
      ({ expires_at }) => expires_at === undefined || expires_at > now.toISOString(),
    );
    if (roles.length === 0) {
      throw conflict(
        pending,
        "all its roles have expired; grant them again to create a new invitation",
      );
    }
    const role_ids = roles.map(({ role_id }) => role_id);
    await grantInvited(writing, { ...pending, roles });
    const at = now.toISOString();
    const accepted = inOrder({
      ...pending,
      status: "accepted",
      accepted_at: at,
      updated_at: at,
      updated_by: pending.invitee_email,
    });
    await writing.records(invitations).replace([accepted], { cid: accepted.target_cid });
    return { invitation: served(accepted), role_ids };
  });
}

/** Cancels a pending invitation. Throws the same errors as `acceptInvitation`. */
export function cancelInvitation(
  store: Store,
  tokenOrId: string,
  now: Date,
  target?: string,
): Promise<Invitation> {
  const command = { store, cid: platformCid, name: "invitations cancel", now };
  return writeAsCommand(command, async (writing) => {
    const pending = await takePending(writing.transaction, tokenOrId, now, target);
    const after = canceled(pending, writing.author);
    await writing.records(invitations).replace([after], { cid: after.target_cid });
    return served(after);
  });
}

async function takePending(
  transaction: Transaction,
  tokenOrId: string,
  now: Date,
  target: string | undefined,
): Promise<StoredInvitation> {
  const records = transaction.records(invitations);
  const byId = (await records.getForUpdate([tokenOrId])).get(tokenOrId);
  const hasToken = where.equal("invitation_token", tokenOrId);
  const invitation = byId ?? (await records.findForUpdate(hasToken, now))[0];
  const isForeign = target !== undefined && invitation?.target_cid !== target;
  if (invitation === undefined || isForeign)
    throw errors.recordsNotFound(invitationNoun, [tokenOrId]);
  const status = statusAt(invitation, now);
  if (status !== "pending") throw conflict(invitation, `it is already ${status}`);
  return invitation;
}

async function grantInvited(
  { transaction, now }: Writing,
  invitation: StoredInvitation,
): Promise<void> {
  const { invitee_uuid: uuid, target_cid: cid, roles } = invitation;
  const records = transaction.records(users);
  const user = (await records.getForUpdate([uuid])).get(uuid);
  if (user === undefined) throw conflict(invitation, "the invited user was deleted");
  const grants = roles.reduce<readonly DirectGrant[]>(
    (held, { role_id, ...expiry }) =>
      changedGrants(held, { action: "grant", cid, role_ids: [role_id], ...expiry }, now).grants,
    user.grants,
  );
  await records.replace([{ ...user, grants, updated_at: now.toISOString() }], now);
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

/** Invitations to one tenant or to all, newest first; for operators of the platform. */
export async function listInvitations(
  store: Store,
  now: Date,
  { cid, limit }: { readonly cid?: string | undefined; readonly limit: number },
): Promise<readonly Invitation[]> {
  const { items } = await store.records(invitations, { cid: cid ?? platformCid }).page({
    predicate: where.everything,
    sort: [{ field: "created_at", direction: "desc" }],
    limit,
    shape: "records",
    now,
  });
  return items.map((text) => JSON.parse(text) as Invitation);
}
