import { deleteUser as remove } from "../../domain/user-management/delete-user.ts";
import type { Handler } from "../../handler.ts";

export const deleteUser: Handler<"DeleteUser"> = async (call) => {
  await remove(call, call.query.user_uuid);
  return { kind: "envelope", affected: 1 };
};
