import { getUsers } from "../../domain/user-management/get-users.ts";
import { userText } from "../../domain/user-management/served-user.ts";
import type { Handler } from "../../handler.ts";

/** Internal users only. */
export const retrieveUsersGETV1: Handler<"retrieveUsersGETV1"> = (call) =>
  getUsers(call, call.body.ids, userText, { external: false });
