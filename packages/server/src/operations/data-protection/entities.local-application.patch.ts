import { localApplicationRules } from "../../domain/data-protection/local-applications.ts";
import type { Handler } from "../../handler.ts";
import { changeRecords } from "../../records/plain/write.ts";

export const entitiesLocalApplicationPatch: Handler<"entities.local-application.patch"> = (call) =>
  changeRecords(call, localApplicationRules, [
    { at: "body", id: call.query.id, changes: call.body },
  ]);
