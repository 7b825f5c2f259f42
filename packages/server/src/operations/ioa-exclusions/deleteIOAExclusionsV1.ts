import { refuseAncestors } from "../../domain/ioa-exclusions/version-1.ts";
import { deleteExclusions } from "../../domain/ioa-exclusions/write.ts";
import type { Handler } from "../../calls/handler.ts";

export const deleteIOAExclusionsV1: Handler<"deleteIOAExclusionsV1"> = async (call) => {
  const ids = [...new Set(call.query.ids)];
  await deleteExclusions(call, ids, call.query.comment, refuseAncestors);
  return { kind: "ids", ids };
};
