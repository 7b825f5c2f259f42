import { newUuid } from "../../identifiers.ts";
import { randomBytes } from "node:crypto";
import type { Call, Caller } from "../../call.ts";
import { auditEntry } from "../../records/audit.ts";
import { actorOf, type Author } from "../../records/write.ts";
import type { Tenant, Transaction } from "../../store/types.ts";
import type { GrantChange } from "./change-grants.ts";
import {
  inOrder,
  invitationDays,
  invitations,
  type InvitedRole,
  type StoredInvitation,
} from "./invitations.ts";
import { enqueueMail } from "./outbox.ts";
import type { StoredUser } from "../../access/users.ts";

type InviteCall = Pick<Call, "operation" | "now" | "traceId"> & { readonly caller: Caller };

/** The invitation that this user can still accept to this tenant; there is one at most. */
export async function pendingInvitation(
  transaction: Transaction,
  uuid: string,
  cid: string,
  now: Date,
): Promise<StoredInvitation | undefined> {
  const [pending] = await takePending(transaction, { invitee_uuid: uuid, target_cid: cid }, now);
  return pending;
}

/** Cancels what a user who goes could still accept; each tenant that invited has it on its trail. */
export async function cancelInvitationsOf(
  call: InviteCall,
  transaction: Transaction,
  { uuid, uid }: StoredUser,
): Promise<void> {
  const { now } = call;
  const pending = await takePending(transaction, { invitee_uuid: uuid }, now);
  // Who deleted the user is no business of those who invited.
  const after = pending.map((invitation) => canceled(invitation, { actor: uid, now }));
  if (after.length > 0) await transaction.records(invitations).replace(after, now);
  for (const { invitation_id, target_cid: cid } of after) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await transaction.audit({ ...auditEntry(call, undefined, [invitation_id]), cid });
  }
}

const takePending = (
  transaction: Transaction,
  members: Partial<Pick<StoredInvitation, "invitee_uuid" | "target_cid">>,
  now: Date,
): Promise<readonly StoredInvitation[]> =>
  transaction.records(invitations).takeMatching(
    {
      kind: "and",
      operands: Object.entries({ ...members, status: "pending" }).map(([field, value]) => ({
        kind: "equal",
        field,
        value,
        fold: false,
      })),
    },
    now,
  );

/**
 * Invites a user whom `tenant` does not know to hold roles in it, and writes the mail. A pending
 * invitation is cancelled; its roles are part of the new one.
 */
export async function invite(
  call: InviteCall,
  transaction: Transaction,
  user: StoredUser,
  tenant: Pick<Tenant, "cid" | "name">,
  change: GrantChange,
): Promise<StoredInvitation> {
  const { now, caller } = call;
  const records = transaction.records(invitations);
  const earlier = await pendingInvitation(transaction, user.uuid, tenant.cid, now);
  if (earlier !== undefined)
    await records.replace([canceled(earlier, { actor: actorOf(caller), now })], now);
  const made = newInvitation({
    user,
    tenant,
    caller,
    now,
    roles: [...rolesWithout(earlier?.roles ?? [], change.role_ids), ...rolesOf(change)],
    ...(earlier === undefined ? {} : { earlier }),
  });
  await records.insert([made], now);
  await enqueueMail(transaction, invitationMail(made, user, tenant), now);
  const ids = [made, ...(earlier === undefined ? [] : [earlier])];
  await transaction.audit({
    ...auditEntry(
      call,
      undefined,
      ids.map(({ invitation_id }) => invitation_id),
    ),
    cid: tenant.cid,
  });
  return made;
}

/** Takes roles out of a pending invitation, and cancels one that has none left; gives how many it took. */
export async function withdraw(
  call: InviteCall,
  transaction: Transaction,
  pending: StoredInvitation,
  { role_ids, cid }: GrantChange,
): Promise<number> {
  const { now, caller } = call;
  const roles = rolesWithout(pending.roles, role_ids);
  const taken = pending.roles.length - roles.length;
  if (taken === 0) return 0;
  const by = actorOf(caller);
  const after =
    roles.length === 0
      ? canceled(pending, { actor: by, now })
      : inOrder({ ...pending, roles, updated_at: now.toISOString(), updated_by: by });
  await transaction.records(invitations).replace([after], now);
  await transaction.audit({ ...auditEntry(call, undefined, [pending.invitation_id]), cid });
  return taken;
}

/** The invitation as it is once someone has cancelled it. */
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
  role_ids.map((role_id) => ({ role_id, ...(expires_at === undefined ? {} : { expires_at }) }));

const rolesWithout = (
  roles: readonly InvitedRole[],
  ids: readonly string[],
): readonly InvitedRole[] => roles.filter(({ role_id }) => !ids.includes(role_id));

interface NewInvitation {
  readonly user: StoredUser;
  readonly tenant: Pick<Tenant, "cid">;
  readonly caller: Caller;
  readonly roles: readonly InvitedRole[];
  readonly earlier?: StoredInvitation;
  readonly now: Date;
}

function newInvitation({
  user,
  tenant,
  caller,
  roles,
  earlier,
  now,
}: NewInvitation): StoredInvitation {
  const at = now.toISOString();
  const by = actorOf(caller);
  return inOrder({
    invitation_id: newUuid(),
    ...(earlier === undefined ? {} : { original_invitation_id: earlier.invitation_id }),
    invitation_token: newInvitationToken(),
    status: "pending",
    invitee_email: user.uid,
    invitee_uuid: user.uuid,
    inviter_cid: caller.cid,
    inviter_email: by,
    inviter_uuid: caller.user?.uuid ?? caller.clientId,
    target_cid: tenant.cid,
    created_at: at,
    email_sent_at: at,
    expires_at: new Date(now.getTime() + invitationDays * 86_400_000).toISOString(),
    updated_at: at,
    updated_by: by,
    roles,
    audience: [tenant.cid],
  });
}

/**
 * 192 random bits. Kept as it is served, not as a hash: who reads invitations sees it anyway. By itself it
 * opens nothing, as no operation takes it; only who runs the platform can accept for the invited user.
 */
const newInvitationToken = (): string => `ivt_${randomBytes(24).toString("base64url")}`;

/** What the invited user is sent. */
export const invitationMail = (
  { invitation_token, inviter_email, expires_at, roles }: StoredInvitation,
  { uid, name }: StoredUser,
  tenant: Pick<Tenant, "cid" | "name">,
) => ({
  cid: tenant.cid,
  kind: "invitation" as const,
  to: uid,
  subject: `Invitation to ${tenant.name}`,
  text: [
    `Hello${name === null ? "" : ` ${name}`},`,
    `${inviter_email} invites you to hold these roles in the tenant ${tenant.name}: ${roles
      .map(({ role_id }) => role_id)
      .join(", ")}.`,
    `You can accept until ${expires_at} with ${invitation_token}.`,
  ].join("\n\n"),
});
