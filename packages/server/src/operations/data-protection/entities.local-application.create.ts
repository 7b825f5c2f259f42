import { localApplicationRules } from "../../domain/data-protection/local-applications.ts";
import type { Handler } from "../../handler.ts";
import { createRecords } from "../../records/plain/write.ts";

export const entitiesLocalApplicationCreate: Handler<"entities.local-application.create"> = (
  call,
) => createRecords(call, localApplicationRules, [{ at: "body", input: call.body }]);
