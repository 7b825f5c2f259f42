import { cloudApplicationRules } from "../../domain/data-protection/cloud-applications.ts";
import type { Handler } from "../../handler.ts";
import { createRecords } from "../../records/plain/write.ts";

export const entitiesCloudApplicationCreate: Handler<"entities.cloud-application.create"> = (
  call,
) => createRecords(call, cloudApplicationRules, [{ at: "body", input: call.body }]);
