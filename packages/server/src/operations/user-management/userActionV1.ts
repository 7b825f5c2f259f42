import { resetUsers } from "../../domain/user-management/reset-users.ts";
import type { Handler } from "../../handler.ts";

export const userActionV1: Handler<"userActionV1"> = async (call) => ({
  kind: "envelope",
  affected: await resetUsers(call, call.body.action.action_name, call.body.ids),
});
