import { platformRecords } from "../../domain/user-management/effective-grants.ts";
import { rolesIn } from "../../domain/user-management/tenant-roles.ts";
import type { Handler } from "../../http/handler.ts";

export const getAvailableRoleIds: Handler<"GetAvailableRoleIds"> = async ({
  caller,
  context: { store },
  now,
}) => ({
  kind: "ids",
  ids: (await rolesIn(platformRecords(store), store.directory, caller.cid, now)).ids,
});
