import { getRoles } from "../../domain/user-management/get-roles.ts";
import type { Handler } from "../../http/handler.ts";

export const entitiesRolesGETV2: Handler<"entitiesRolesGETV2"> = (call) =>
  getRoles(call, call.body.ids);
