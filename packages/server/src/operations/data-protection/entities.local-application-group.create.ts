import { localApplicationGroupRules } from "../../domain/data-protection/local-application-groups.ts";
import type { Handler } from "../../handler.ts";
import { createRecords } from "../../records/plain/write.ts";

export const entitiesLocalApplicationGroupCreate: Handler<
  "entities.local-application-group.create"
> = (call) => createRecords(call, localApplicationGroupRules, [{ at: "body", input: call.body }]);
