import { listGrants } from "../../domain/user-management/list-grants.ts";
import type { Handler } from "../../handler.ts";

export const combinedUserRolesV1: Handler<"combinedUserRolesV1"> = (call) => listGrants(call, 1);
