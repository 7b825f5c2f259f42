import { aggregateUsers } from "../../domain/user-management/aggregate-users.ts";
import type { Handler } from "../../handler.ts";

export const aggregateUsersV2: Handler<"aggregateUsersV2"> = (call) =>
  aggregateUsers(call, call.query.user_type);
