import { createUser } from "../../domain/user-management/users/create-user.ts";
import { userText } from "../../domain/user-management/users/served-user.ts";
import type { Handler } from "../../calls/handler.ts";

export const createUserV1: Handler<"createUserV1"> = async (call) => {
  const user = await createUser(call, call.body, call.query.validate_only);
  return { kind: "records", records: user === undefined ? [] : [userText(user)] };
};
