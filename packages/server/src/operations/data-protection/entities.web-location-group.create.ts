import { webLocationGroupRules } from "../../domain/data-protection/web-location-groups.ts";
import type { Handler } from "../../handler.ts";
import { createRecords } from "../../records/plain/write.ts";

export const entitiesWebLocationGroupCreate: Handler<"entities.web-location-group.create"> = (
  call,
) => createRecords(call, webLocationGroupRules, [{ at: "body", input: call.body }]);
