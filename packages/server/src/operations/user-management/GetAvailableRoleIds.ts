import { platformRecords } from "../../access/effective-grants.ts";
import { rolesIn } from "../../access/tenant-roles.ts";
import type { Handler } from "../../handler.ts";

export const getAvailableRoleIds: Handler<"GetAvailableRoleIds"> = async ({
  caller,
  context: { store },
  now,
}) => ({
  kind: "ids",
  ids: (await rolesIn(platformRecords(store), store.directory, caller.cid, now)).ids,
});
