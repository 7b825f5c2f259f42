import { webLocationGroupRules } from "../../domain/data-protection/web-location-groups.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesWebLocationGroupDelete: Handler<"entities.web-location-group.delete"> = (
  call,
) => deleteRecords(call, webLocationGroupRules, call.query.ids);
