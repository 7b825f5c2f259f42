import { listGrants } from "../../domain/user-management/list-grants.ts";
import type { Handler } from "../../handler.ts";

export const combinedUserRolesV3: Handler<"CombinedUserRolesV3"> = (call) => listGrants(call, 3);
