import { slaRules, usesOfSlas } from "../../domain/case-management/slas/write-slas.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import type { Handler } from "../../calls/handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesSlasDeleteV1: Handler<"entities.slas.delete.v1"> = async (call) => {
  const ids = [...new Set(call.query.ids)];
  await deleteRecords(call, slaRules(await stampOf(call)), ids, usesOfSlas);
  return { kind: "ids", ids };
};
