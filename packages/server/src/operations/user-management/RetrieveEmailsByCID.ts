import { compareCodePoints } from "@security-platform/fql";
import { everyInternalUser } from "../../domain/user-management/list-users.ts";
import type { User } from "../../access/users.ts";
import type { Handler } from "../../handler.ts";

export const retrieveEmailsByCid: Handler<"RetrieveEmailsByCID"> = async (call) => {
  const texts = await everyInternalUser(call, "records");
  const uids = texts.map((text) => (JSON.parse(text) as User).uid);
  return { kind: "envelope", resources: uids.toSorted(compareCodePoints) };
};
