import { fqlTables } from "@security-platform/spec";
import { invitations } from "../../domain/user-management/invitations.ts";
import type { Handler } from "../../handler.ts";
import { listRecords } from "../../records/list.ts";

/** Identifiers of the invitations to the tenant. */
export const queryUserInvitationsV1: Handler<"queryUserInvitationsV1"> = (call) =>
  listRecords(call, {
    resource: invitations,
    shape: "ids",
    records: "own",
    fields: fqlTables.invitations.fields,
  });
