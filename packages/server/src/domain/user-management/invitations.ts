import { fqlTables, type components } from "@security-platform/spec";
import { memberOrder } from "../../records/member-order.ts";
import type { Resource } from "../../store/types.ts";

export type Invitation = components["schemas"]["Invitation"];

/** How one is called in messages. */
export const invitationNoun = "invitation";

/** So long an invitation can be accepted. */
export const invitationDays = 7;

/** A role that is held once the invitation is accepted. */
export interface InvitedRole {
  readonly role_id: string;
  /** RFC 3339; when the grant will end. Absent: it stays. */
  readonly expires_at?: string;
}

/** As stored: the served invitation, and what it is about. */
export interface StoredInvitation extends Invitation {
  readonly roles: readonly InvitedRole[];
  /** Who sees it: the tenant in which the roles will be held. */
  readonly audience: readonly string[];
}

/** Invitations of users whom a tenant does not know. One that is pending reads `expired` from its time on. */
export const invitations: Resource<StoredInvitation> = {
  name: "invitations",
  collection: "user_management",
  fields: {
    ...fqlTables.invitations.fields,
    invitation_token: { type: "string" },
    audience: { type: "string", array: true },
  },
  id: "invitation_id",
  turn: {
    at: expiresAt,
    after: expired,
    changes: ["status"],
  },
  due: { expiry: { at: expiresAt } },
  hidden: ["roles", "audience"],
  visibility: { sources: ["platform"], audience: "audience" },
  indexes: ["invitee_uuid", "invitation_token", "created_at"],
};

/** When a pending invitation can no longer be accepted. */
function expiresAt({ status, expires_at }: StoredInvitation): string | null {
  return status === "pending" ? expires_at : null;
}

export function expired(invitation: StoredInvitation): StoredInvitation {
  return { ...invitation, status: "expired" };
}

/** Where an invitation stands at `now`; `take` gives it as it was written. */
export const statusAt = ({ status, expires_at }: Invitation, now: Date): Invitation["status"] =>
  status === "pending" && expires_at <= now.toISOString() ? "expired" : status;

/** The members in the document's order, so that equal invitations have equal texts. */
export const inOrder = memberOrder<StoredInvitation>("Invitation", invitations.hidden);
