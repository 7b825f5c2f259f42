import { webLocations } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesWebLocationGetV2: Handler<"entities.web-location.get-v2"> = (call) =>
  getById(call, webLocations);
