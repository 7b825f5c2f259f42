import { getRoles } from "../../domain/user-management/get-roles.ts";
import type { Handler } from "../../handler.ts";

export const entitiesRolesV1: Handler<"entitiesRolesV1"> = (call) => getRoles(call, call.query.ids);
