import { changeGrantsOf } from "../../domain/user-management/grants/change-grants.ts";
import type { Handler } from "../../calls/handler.ts";

/** Revokes roles in the tenant of the token. The response lists all requested roles, held or not. */
export const revokeUserRoleIds: Handler<"RevokeUserRoleIds"> = async (call) => {
  const role_ids = [...new Set(call.query.ids)];
  await changeGrantsOf(call, { action: "revoke", uuid: call.query.user_uuid, role_ids });
  return { kind: "ids", ids: role_ids };
};
