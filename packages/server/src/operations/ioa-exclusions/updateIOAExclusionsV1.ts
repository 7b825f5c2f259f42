import {
  fromVersion1,
  inVersion1,
  refuseAncestors,
} from "../../domain/ioa-exclusions/version-1.ts";
import { updateExclusions } from "../../domain/ioa-exclusions/write.ts";
import type { Handler } from "../../calls/handler.ts";

/** Members that version 1 lacks stay unchanged. */
export const updateIOAExclusionsV1: Handler<"updateIOAExclusionsV1"> = async (call) => {
  const { body, caller, context, now } = call;
  const { id, groups, ...changes } = body;
  const item = {
    at: "body",
    groups: "groups",
    id,
    changes: fromVersion1(changes, groups),
  } as const;
  const changed = await updateExclusions(call, [item], refuseAncestors);
  const records = await inVersion1(context, { cid: caller.cid, now }, changed);
  return { kind: "records", records: records.map((record) => JSON.stringify(record)) };
};
