import { legacyText } from "../../domain/user-management/users/legacy-user.ts";
import { renameUser } from "../../domain/user-management/users/rename-user.ts";
import type { Handler } from "../../calls/handler.ts";

export const legacyUpdateUser: Handler<"UpdateUser"> = async (call) => {
  const { firstName: first_name, lastName: last_name } = call.body;
  const user = await renameUser(call, call.query.user_uuid, { first_name, last_name });
  return { kind: "records", records: [legacyText(user)] };
};
