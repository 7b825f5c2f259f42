import { webLocationGroups } from "../../domain/data-protection/kinds.ts";
import { ofType } from "../../domain/data-protection/of-type.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesWebLocationGroupGet: Handler<"queries.web-location-group.get"> = (call) =>
  listIds(call, webLocationGroups, ofType(call.query.type));
