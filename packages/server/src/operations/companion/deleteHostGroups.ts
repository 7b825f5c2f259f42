import { hostGroupKind } from "../../domain/companion/host-group-rules.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";
import { usesOfHostGroups } from "./host-group-uses.ts";

/** Deletes all or none; the hosts leave the groups at once. */
export const deleteHostGroups: Handler<"deleteHostGroups"> = async (call) => {
  const ids = [...new Set(call.query.ids)];
  await deleteRecords(call, hostGroupKind, ids, usesOfHostGroups);
  return { kind: "ids", ids };
};
