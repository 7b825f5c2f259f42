import { listGrants } from "../../domain/user-management/list-grants.ts";
import type { Handler } from "../../handler.ts";

export const combinedUserRolesV2: Handler<"CombinedUserRolesV2"> = (call) => listGrants(call, 2);
