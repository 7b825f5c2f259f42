import { randomBytes } from "node:crypto";
import { where } from "@security-platform/fql";
import type { Caller } from "../../../calls/call.ts";
import { newUuid } from "../../../foundation/identifiers.ts";
import { defined } from "../../../records/defined.ts";
import type { Author, Writing } from "../../../records/write.ts";
import type { Tenant, Transaction } from "../../../store/index.ts";
import type { GrantChange } from "../grants/change-grants.ts";
import {
  inOrder,
  invitationDays,
  invitations,
  type InvitedRole,
  type StoredInvitation,
} from "./invitations.ts";
import { enqueueMail } from "../../../mail/outbox.ts";
import { printable } from "../../../mail/printable.ts";
import type { StoredUser } from "../../../access/users.ts";

/** The user's pending invitation from this tenant; there is at most one. */
export async function pendingInvitation(
  transaction: Transaction,
  uuid: string,
  cid: string,
  now: Date,
): Promise<StoredInvitation | undefined> {
  const [pending] = await takePending(transaction, { invitee_uuid: uuid, target_cid: cid }, now);
  return pending;
}

/** Cancels the pending invitations of a deleted user, with an audit entry in each inviting tenant. */
export async function cancelInvitationsOf(
  writing: Writing,
  { uuid, uid }: StoredUser,
): Promise<void> {
  const { transaction, now } = writing;
  const records = writing.records(invitations);
  for (const invitation of await takePending(transaction, { invitee_uuid: uuid }, now)) {
    // Other tenants must not learn who deleted the user.
    const after = canceled(invitation, { actor: uid, now });
    await records.replace([after], { cid: invitation.target_cid });
  }
}

const takePending = (
  transaction: Transaction,
  members: Partial<Pick<StoredInvitation, "invitee_uuid" | "target_cid">>,
  now: Date,
): Promise<readonly StoredInvitation[]> => {
  const conditions = Object.entries({ ...members, status: "pending" });
  const predicate = where.all(...conditions.map(([field, value]) => where.equal(field, value)));
  return transaction.records(invitations).findForUpdate(predicate, now);
};

/**
 * Invites a user whom `tenant` does not know to hold roles in it, and writes the mail. The new invitation
 * replaces a pending one and includes its roles.
 */
export async function invite(
  writing: Writing,
  caller: Caller,
  user: StoredUser,
  tenant: Pick<Tenant, "cid" | "name">,
  change: GrantChange,
): Promise<void> {
  const { transaction, author, now } = writing;
  const records = writing.records(invitations);
  const note = { cid: tenant.cid };
  const earlier = await pendingInvitation(transaction, user.uuid, tenant.cid, now);
  if (earlier !== undefined) await records.replace([canceled(earlier, author)], note);
  const invitation = inOrder({
    ...newInvitation(user, tenant, now),
    ...defined({ original_invitation_id: earlier?.invitation_id }),
    inviter_cid: caller.cid,
    inviter_email: author.actor,
    inviter_uuid: caller.user?.uuid ?? caller.clientId,
    updated_by: author.actor,
    roles: [...rolesWithout(earlier?.roles ?? [], change.role_ids), ...rolesOf(change)],
  });
  await records.insert([invitation], note);
  await enqueueMail(transaction, invitationMail(invitation, user, tenant), now);
}

/**
 * Removes roles from a pending invitation and returns their number. An invitation without roles is
 * cancelled.
 */
export async function withdraw(
  writing: Writing,
  pending: StoredInvitation,
  { role_ids, cid }: GrantChange,
): Promise<number> {
  const { author, now } = writing;
  const roles = rolesWithout(pending.roles, role_ids);
  const removed = pending.roles.length - roles.length;
  if (removed === 0) return 0;
  const changed = { ...pending, roles, updated_at: now.toISOString(), updated_by: author.actor };
  const after = roles.length === 0 ? canceled(pending, author) : inOrder(changed);
  await writing.records(invitations).replace([after], { cid });
  return removed;
}

/** The invitation after its cancellation by `actor`. */
export function canceled(
  invitation: StoredInvitation,
  { actor, now }: Pick<Author, "actor" | "now">,
): StoredInvitation {
  const at = now.toISOString();
  return inOrder({
    ...invitation,
    status: "canceled",
    canceled_at: at,
    canceled_by: actor,
    updated_at: at,
    updated_by: actor,
  });
}

const rolesOf = ({ role_ids, expires_at }: GrantChange): readonly InvitedRole[] =>
  role_ids.map((role_id) => ({ role_id, ...defined({ expires_at }) }));

const rolesWithout = (
  roles: readonly InvitedRole[],
  ids: readonly string[],
): readonly InvitedRole[] => roles.filter(({ role_id }) => !ids.includes(role_id));

/** The members of a new invitation that do not depend on the inviter. */
function newInvitation(user: StoredUser, { cid }: Pick<Tenant, "cid">, now: Date) {
  const at = now.toISOString();
  return {
    invitation_id: newUuid(),
    invitation_token: newInvitationToken(),
    status: "pending",
    invitee_email: user.uid,
    invitee_uuid: user.uuid,
    target_cid: cid,
    created_at: at,
    email_sent_at: at,
    expires_at: new Date(now.getTime() + invitationDays * 86_400_000).toISOString(),
    updated_at: at,
    audience: [cid],
  } as const;
}

/**
 * 192 random bits. Stored in clear text, because the API serves the token. No operation accepts it: only
 * the command line accepts invitations for a user.
 */
const newInvitationToken = (): string => `ivt_${randomBytes(24).toString("base64url")}`;

/** The mail to the invited user. */
export const invitationMail = (
  { invitation_token, inviter_email, expires_at, roles }: StoredInvitation,
  { uid, name }: StoredUser,
  tenant: Pick<Tenant, "cid" | "name">,
) => ({
  cid: tenant.cid,
  kind: "invitation" as const,
  to: uid,
  subject: `Invitation to ${printable(tenant.name)}`,
  text: [
    `Hello${name === null ? "" : ` ${printable(name)}`},`,
    `${inviter_email} invites you to hold these roles in the tenant ${printable(tenant.name)}: ${roles
      .map(({ role_id }) => role_id)
      .join(", ")}.`,
    `You can accept until ${expires_at} with ${invitation_token}.`,
  ].join("\n\n"),
});
