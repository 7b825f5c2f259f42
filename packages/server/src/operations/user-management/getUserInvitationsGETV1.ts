import { invitationNoun, invitations } from "../../domain/user-management/invitations.ts";
import type { Handler } from "../../handler.ts";
import { getRecords } from "../../records/get.ts";

/** Invitations to the tenant by id, in the order asked. */
export const getUserInvitationsGETV1: Handler<"getUserInvitationsGETV1"> = (call) =>
  getRecords(call, invitations, invitationNoun, [...new Set(call.body.ids)]);
