import { getRoles } from "../../domain/user-management/get-roles.ts";
import type { Handler } from "../../handler.ts";

export const entitiesRolesGETV2: Handler<"entitiesRolesGETV2"> = (call) =>
  getRoles(call, call.body.ids);
