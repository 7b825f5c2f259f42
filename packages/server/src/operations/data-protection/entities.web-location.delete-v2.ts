import { webLocationRules } from "../../domain/data-protection/web-locations.ts";
import { usesOfWebLocations } from "../../domain/data-protection/references.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesWebLocationDeleteV2: Handler<"entities.web-location.delete-v2"> = (call) =>
  deleteRecords(call, webLocationRules, call.query.ids, usesOfWebLocations);
