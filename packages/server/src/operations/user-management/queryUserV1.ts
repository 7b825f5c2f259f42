import { listUsers } from "../../domain/user-management/list-users.ts";
import type { Handler } from "../../handler.ts";

/** Internal users only. */
export const queryUserV1: Handler<"queryUserV1"> = (call) => listUsers(call, "internal");
