import { hostGroupKind } from "../../domain/companion/host-group-rules.ts";
import type { Handler } from "../../calls/handler.ts";
import { deleteWithin } from "../../records/plain/write.ts";
import { write } from "../../records/write.ts";
import { leaveHostGroups, usesOfHostGroups } from "./host-group-uses.ts";

/** Deletes all or none; the hosts leave the groups at once. */
export const deleteHostGroups: Handler<"deleteHostGroups"> = async (call) => {
  const ids = [...new Set(call.query.ids)];
  await write(call, async (writing) => {
    await deleteWithin(writing, hostGroupKind, ids, usesOfHostGroups);
    await leaveHostGroups(writing, ids);
  });
  return { kind: "ids", ids };
};
