import { deleteExclusions } from "../../domain/ioa-exclusions/write.ts";
import type { Handler } from "../../calls/handler.ts";

export const ssIoaExclusionsDeleteV2: Handler<"ss-ioa-exclusions.delete.v2"> = async (call) => {
  const ids = [...new Set(call.query.ids)];
  const deleted = await deleteExclusions(call, ids, call.query.comment);
  return { kind: "records", records: deleted.map((record) => JSON.stringify(record)) };
};
