import { roleIds } from "../../domain/user-management/roles.ts";
import type { Handler } from "../../http/handler.ts";

export const getAvailableRoleIds: Handler<"GetAvailableRoleIds"> = async () => ({
  kind: "ids",
  ids: roleIds,
});
