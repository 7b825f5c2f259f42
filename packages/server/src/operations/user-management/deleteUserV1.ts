import { deleteUser } from "../../domain/user-management/delete-user.ts";
import type { Handler } from "../../calls/handler.ts";

export const deleteUserV1: Handler<"DeleteUser" | "deleteUserV1"> = async (call) => {
  await deleteUser(call, call.query.user_uuid);
  return { kind: "envelope", affected: 1 };
};
