import { everyInternalUser } from "../../domain/user-management/list-users.ts";
import type { Handler } from "../../handler.ts";

export const retrieveUserUuidsByCid: Handler<"RetrieveUserUUIDsByCID"> = async (call) => ({
  kind: "ids",
  ids: await everyInternalUser(call, "ids"),
});
