import { getUsers } from "../../domain/user-management/get-users.ts";
import { userText } from "../../domain/user-management/served-user.ts";
import type { Handler } from "../../handler.ts";

/** External users, too. */
export const retrieveUsersGETV2: Handler<"retrieveUsersGETV2"> = (call) =>
  getUsers(call, call.body.ids, userText, { external: true });
