import { webLocationGroups } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesWebLocationGroupGet: Handler<"entities.web-location-group.get"> = (call) =>
  getById(call, webLocationGroups);
