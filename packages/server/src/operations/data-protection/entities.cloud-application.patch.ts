import { cloudApplicationRules } from "../../domain/data-protection/cloud-applications.ts";
import type { Handler } from "../../handler.ts";
import { changeRecords } from "../../records/plain/write.ts";

export const entitiesCloudApplicationPatch: Handler<"entities.cloud-application.patch"> = (call) =>
  changeRecords(call, cloudApplicationRules, [
    { at: "body", id: call.query.id, changes: call.body },
  ]);
