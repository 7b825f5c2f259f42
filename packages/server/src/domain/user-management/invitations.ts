import { fqlTables, type components } from "@security-platform/spec";
import { memberOrder } from "../../records/member-order.ts";
import type { Resource } from "../../store/types.ts";

export type Invitation = components["schemas"]["Invitation"];

/** The word for an invitation in messages. */
export const invitationNoun = "invitation";

/** Days in which an invitation can be accepted. */
export const invitationDays = 7;

/** A role that the user gets by accepting. */
export interface InvitedRole {
  readonly role_id: string;
  /** RFC 3339; expiry of the grant. Absent: it does not expire. */
  readonly expires_at?: string;
}

/** The stored record: the served invitation and its hidden members. */
export interface StoredInvitation extends Invitation {
  readonly roles: readonly InvitedRole[];
  /** The tenant that sees it, in which the user gets the roles. */
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
  expiry: {
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

/** The status at `now`; `take` returns the stored one. */
export const statusAt = ({ status, expires_at }: Invitation, now: Date): Invitation["status"] =>
  status === "pending" && expires_at <= now.toISOString() ? "expired" : status;

/** The members in the document's order, so that equal invitations have equal texts. */
export const inOrder = memberOrder<StoredInvitation>("Invitation", invitations.hidden);
