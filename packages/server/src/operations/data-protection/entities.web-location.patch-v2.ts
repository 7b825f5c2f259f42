import { webLocationRules } from "../../domain/data-protection/web-locations.ts";
import type { Handler } from "../../handler.ts";
import { changeRecords } from "../../records/plain/write.ts";

export const entitiesWebLocationPatchV2: Handler<"entities.web-location.patch-v2"> = (call) =>
  changeRecords(call, webLocationRules, [{ at: "body", id: call.query.id, changes: call.body }]);
