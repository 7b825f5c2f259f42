import { changeGrantsOf } from "../../domain/user-management/change-grants.ts";
import type { Handler } from "../../handler.ts";

export const userRolesActionV1: Handler<"userRolesActionV1"> = async (call) => ({
  kind: "envelope",
  affected: await changeGrantsOf(call, call.body),
});
