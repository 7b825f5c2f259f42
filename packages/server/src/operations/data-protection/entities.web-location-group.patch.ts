import { webLocationGroupRules } from "../../domain/data-protection/web-location-groups.ts";
import type { Handler } from "../../handler.ts";
import { changeRecords } from "../../records/plain/write.ts";

export const entitiesWebLocationGroupPatch: Handler<"entities.web-location-group.patch"> = (call) =>
  changeRecords(call, webLocationGroupRules, [
    { at: "body", id: call.query.id, changes: call.body },
  ]);
