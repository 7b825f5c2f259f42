import { getUsers } from "../../domain/user-management/get-users.ts";
import { legacyText } from "../../domain/user-management/legacy-user.ts";
import type { Handler } from "../../handler.ts";

export const retrieveUser: Handler<"RetrieveUser"> = (call) =>
  getUsers(call, call.query.ids, legacyText, { external: false });
