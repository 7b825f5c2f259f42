import { changeAnyGrants } from "../../domain/user-management/change-any-grants.ts";
import type { Handler } from "../../handler.ts";

export const userRolesActionV2: Handler<"userRolesActionV2"> = async (call) => ({
  kind: "envelope",
  affected: await changeAnyGrants(call),
});
