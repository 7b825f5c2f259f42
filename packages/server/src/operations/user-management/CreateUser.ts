import { createUser } from "../../domain/user-management/users/create-user.ts";
import { legacyText } from "../../domain/user-management/users/legacy-user.ts";
import type { Handler } from "../../calls/handler.ts";

export const legacyCreateUser: Handler<"CreateUser"> = async (call) => {
  const { uid, firstName: first_name, lastName: last_name, password } = call.body;
  const user = await createUser(call, { uid, first_name, last_name, password });
  return { kind: "records", records: user === undefined ? [] : [legacyText(user)] };
};
