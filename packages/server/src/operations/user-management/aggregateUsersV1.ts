import { aggregateUsers } from "../../domain/user-management/aggregate-users.ts";
import type { Handler } from "../../handler.ts";

export const aggregateUsersV1: Handler<"aggregateUsersV1"> = (call) =>
  aggregateUsers(call, "internal");
