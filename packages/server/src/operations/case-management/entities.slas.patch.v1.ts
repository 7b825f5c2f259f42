import { slaRules } from "../../domain/case-management/slas/write-slas.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import type { Handler } from "../../calls/handler.ts";
import { changeRecords } from "../../records/plain/write.ts";

export const entitiesSlasPatchV1: Handler<"entities.slas.patch.v1"> = async (call) => {
  const { id, ...changes } = call.body;
  const rules = slaRules(await stampOf(call));
  return {
    kind: "records",
    records: await changeRecords(call, rules, [{ at: "body", id, changes }]),
  };
};
