import { slas } from "../../domain/case-management/slas/slas.ts";
import { slaRules, usesOfSlas } from "../../domain/case-management/slas/write-slas.ts";
import { stampOf } from "../../domain/case-management/stamps.ts";
import type { OperationHandlers } from "../../handler.ts";
import { aggregateKind, getByIds, queryIds } from "../../records/plain/handlers.ts";
import { changeRecords, createRecords, deleteRecords } from "../../records/plain/write.ts";

export const slaHandlers = {
  "aggregates.slas.post.v1": aggregateKind(slas),
  "queries.slas.get.v1": queryIds(slas),
  "entities.slas.get.v1": getByIds(slas),
  "entities.slas.post.v1": async (call) => ({
    kind: "records",
    records: await createRecords(call, slaRules(await stampOf(call)), [
      { at: "body", input: call.body },
    ]),
  }),
  "entities.slas.patch.v1": async (call) => {
    const { id, ...changes } = call.body;
    return {
      kind: "records",
      records: await changeRecords(call, slaRules(await stampOf(call)), [
        { at: "body", id, changes },
      ]),
    };
  },
  "entities.slas.delete.v1": async (call) => {
    const ids = [...new Set(call.query.ids)];
    await deleteRecords(call, slaRules(await stampOf(call)), ids, usesOfSlas);
    return { kind: "ids", ids };
  },
} satisfies Partial<OperationHandlers>;
