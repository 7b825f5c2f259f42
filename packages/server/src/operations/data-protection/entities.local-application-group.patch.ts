import { localApplicationGroupRules } from "../../domain/data-protection/local-application-groups.ts";
import type { Handler } from "../../handler.ts";
import { changeRecords } from "../../records/plain/write.ts";

export const entitiesLocalApplicationGroupPatch: Handler<
  "entities.local-application-group.patch"
> = (call) =>
  changeRecords(call, localApplicationGroupRules, [
    { at: "body", id: call.query.id, changes: call.body },
  ]);
