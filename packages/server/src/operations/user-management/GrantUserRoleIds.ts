import { changeGrantsOf } from "../../domain/user-management/grants/change-grants.ts";
import type { Handler } from "../../calls/handler.ts";

/** Grants roles without expiration, in the tenant of the token. */
export const grantUserRoleIds: Handler<"GrantUserRoleIds"> = async (call) => {
  const { role_ids } = call.body;
  const { user_uuid } = call.query;
  const affected = await changeGrantsOf(call, { action: "grant", uuid: user_uuid, role_ids });
  return { kind: "envelope", affected, resources: { user_uuid, role_ids } };
};
