import { rolesById } from "../../domain/user-management/roles.ts";
import { tenantMeant } from "../../domain/user-management/viewer.ts";
import type { Handler } from "../../http/handler.ts";

export const entitiesRolesGETV2: Handler<"entitiesRolesGETV2"> = async (call) => {
  await tenantMeant(call, call.query.cid, "query.cid");
  return rolesById(call.body.ids, (role) => role);
};
