import { listUsers } from "../../domain/user-management/list-users.ts";
import type { Handler } from "../../handler.ts";

/** Internal and external users, or those of one type. */
export const queryUserV2: Handler<"queryUserV2"> = (call) => listUsers(call, call.query.user_type);
