import { fqlTables, type components } from "@security-platform/spec";
import { memberOrder } from "../../../records/member-order.ts";
import type { Resource } from "../../../store/index.ts";

export type Invitation = components["schemas"]["Invitation"];

/** The name of a record in messages. */
export const invitationNoun = "invitation";

/** Number of days in which an invitation can be accepted. */
export const invitationDays = 7;

/** A role that the user receives by accepting. */
export interface InvitedRole {
  readonly role_id: string;
  /** Expiry of the grant in RFC 3339. Absent if it does not expire. */
  readonly expires_at?: string;
}

/** The stored record: the invitation as served, and hidden members. */
export interface StoredInvitation extends Invitation {
  readonly roles: readonly InvitedRole[];
  /** The inviting tenant: it sees the invitation, and the user receives the roles in it. */
  readonly audience: readonly string[];
}

/**
 * Invitations of users whom a tenant does not know. A pending invitation has the status `expired` as soon
 * as its time has passed.
 */
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

/** The time after which a pending invitation cannot be accepted. */
function expiresAt({ status, expires_at }: StoredInvitation): string | null {
  return status === "pending" ? expires_at : null;
}

export function expired(invitation: StoredInvitation): StoredInvitation {
  return { ...invitation, status: "expired" };
}

/** The status at `now`; `take` returns the stored status. */
export const statusAt = ({ status, expires_at }: Invitation, now: Date): Invitation["status"] =>
  status === "pending" && expires_at <= now.toISOString() ? "expired" : status;

/** Orders the members as in the document, so that equal invitations have equal texts. */
export const inOrder = memberOrder<StoredInvitation>("Invitation", invitations.hidden);
