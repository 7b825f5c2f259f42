import { renameUser } from "../../domain/user-management/rename-user.ts";
import { userText } from "../../domain/user-management/served-user.ts";
import type { Handler } from "../../handler.ts";

export const updateUserV1: Handler<"updateUserV1"> = async (call) => {
  const user = await renameUser(call, call.query.user_uuid, call.body);
  return { kind: "records", records: [userText(user)] };
};
