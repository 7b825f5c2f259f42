import { createUser } from "../../domain/user-management/create-user.ts";
import { userText } from "../../domain/user-management/served-user.ts";
import type { Handler } from "../../handler.ts";

/** With `validate_only` everything is checked and the answer is an empty list. */
export const createUserV1: Handler<"createUserV1"> = async (call) => {
  const user = await createUser(call, call.body, call.query.validate_only);
  return { kind: "records", records: user === undefined ? [] : [userText(user)] };
};
